// What is generated, as programs use it: only the compiler looks at this.
import type { NotFound, S3Client } from "@aws-sdk/client-s3";
import * as jobs from "./plain/jobs.js";
import { waitUntilBucketExists, waitUntilBucketNotExists } from "./sdk/s3.js";

export async function found(client: S3Client): Promise<[NotFound, string | undefined]> {
  const gone = await waitUntilBucketNotExists({ client, maxWaitTime: 9 }, { Bucket: "b" });
  const there = await waitUntilBucketExists({ client, maxWaitTime: 9 }, { Bucket: "b" });
  // @ts-expect-error: the time is required.
  await waitUntilBucketExists({ client }, { Bucket: "b" });
  return [gone.error, there.response.BucketRegion];
}

export async function done(): Promise<jobs.State | undefined> {
  const call = async ({ names = [] }: jobs.GetJobsInput): Promise<jobs.GetJobsOutput> => ({
    jobs: names.map((name) => ({ state: "DONE", from: { name } })),
  });
  const outcome = await jobs.waitUntilJobsDone({ call, maxWaitTime: 9 }, { names: ["a"] });
  return outcome.response.jobs?.[0]?.state;
}
