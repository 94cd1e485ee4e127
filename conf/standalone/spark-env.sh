#!/usr/bin/env bash
# Environment of a standalone worker. Copy to $SPARK_HOME/conf on every worker host, with or without GPUs.
#
#   STENCIL_HOME              the parent of this project's conf folder; default /opt/spark-stencil
#   STENCIL_WORKER_GPUS       how many GPUs to offer, starting with the first; default all
#   STENCIL_WORKER_RESOURCES  for several workers on one host: this worker's file, such as worker-resources.json,
#                             with the addresses of its GPUs
STENCIL_HOME="${STENCIL_HOME:-/opt/spark-stencil}"
export CUDA_DEVICE_ORDER=PCI_BUS_ID

if [ -n "${STENCIL_WORKER_RESOURCES:-}" ]; then
  stencil_gpus="$(cat "$STENCIL_WORKER_RESOURCES")"
  stencil_source="-Dspark.worker.resourcesFile=$STENCIL_WORKER_RESOURCES"
else
  stencil_gpus="$("$STENCIL_HOME/conf/gpu-discovery.sh")"
  stencil_source="-Dspark.worker.resource.gpu.discoveryScript=$STENCIL_HOME/conf/gpu-discovery.sh"
fi
STENCIL_WORKER_GPUS="${STENCIL_WORKER_GPUS:-$(echo "$stencil_gpus" | grep -o '"[0-9][0-9]*"' | wc -l)}"
# A worker that declares a resource but finds none does not start.
if [ "$STENCIL_WORKER_GPUS" -gt 0 ]; then
  SPARK_WORKER_OPTS="${SPARK_WORKER_OPTS:-} -Dspark.worker.resource.gpu.amount=$((STENCIL_WORKER_GPUS)) $stencil_source"
  export SPARK_WORKER_OPTS
fi
