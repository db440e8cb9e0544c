# The command without anything else, for `COPY --from` and for init containers. `cargo xtask command --static` builds it.
FROM scratch
# Docker's name of the platform, such as `linux/amd64`.
ARG TARGETPLATFORM
COPY --chmod=755 target/command/${TARGETPLATFORM}/smithy-waiters /smithy-waiters
COPY tools/cli/LICENSE tools/cli/THIRD-PARTY-LICENSES /licences/
USER 65534:65534
ENTRYPOINT ["/smithy-waiters"]
