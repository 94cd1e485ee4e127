#!/usr/bin/env bash
# Environment of a standalone worker; copy to $SPARK_HOME/conf on every worker host, with GPUs or without.
#
#   STENCIL_HOME              where this project's conf folder is; /opt/spark-stencil unless set
#   STENCIL_WORKER_GPUS       how many GPUs to offer, the first ones; all that are found unless set
#   STENCIL_WORKER_RESOURCES  for several workers on one host: a file for each, such as worker-resources.json,
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
# A worker that says it has a resource but finds none does not start.
if [ "$STENCIL_WORKER_GPUS" -gt 0 ]; then
  SPARK_WORKER_OPTS="${SPARK_WORKER_OPTS:-} -Dspark.worker.resource.gpu.amount=$((STENCIL_WORKER_GPUS)) $stencil_source"
  export SPARK_WORKER_OPTS
fi
