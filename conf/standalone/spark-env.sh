#!/usr/bin/env bash
# Environment of a standalone worker with GPUs; copy to $SPARK_HOME/conf on each worker host.
# The number of GPUs to offer must not exceed what the discovery script finds.
STENCIL_HOME="${STENCIL_HOME:-/opt/spark-stencil}"
STENCIL_WORKER_GPUS="${STENCIL_WORKER_GPUS:-1}"

export CUDA_DEVICE_ORDER=PCI_BUS_ID
SPARK_WORKER_OPTS="${SPARK_WORKER_OPTS:-} -Dspark.worker.resource.gpu.amount=$STENCIL_WORKER_GPUS"
if [ -n "${STENCIL_WORKER_RESOURCES:-}" ]; then
  # Several workers on one host: a file for each, such as worker-resources.json.
  SPARK_WORKER_OPTS="$SPARK_WORKER_OPTS -Dspark.worker.resourcesFile=$STENCIL_WORKER_RESOURCES"
else
  SPARK_WORKER_OPTS="$SPARK_WORKER_OPTS -Dspark.worker.resource.gpu.discoveryScript=$STENCIL_HOME/conf/gpu-discovery.sh"
fi
export SPARK_WORKER_OPTS
