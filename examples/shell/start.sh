#!/bin/sh
# Starts a service and waits until it is ready, as a job of a CI system does: `sh start.sh 8000`.
set -eu
port=$1
python3 "$(dirname "$0")/service.py" "$port" &
service=$!
trap 'kill $service' EXIT

# Not yet: a refused connection, and the two states. Another state, such as BROKEN, fails at once.
version=$(smithy-waiters wait --until status=UP --pending STARTING,MIGRATING --timeout 30s --interval 500ms \
  --query version --label service "http://127.0.0.1:$port/health")
echo "version $version is ready"
