#!/bin/bash
# Times SQL windows on a host with a GPU and 16 cores: Spark's operator, ours on both engines and, if
# RAPIDS_JAR names it, the RAPIDS Accelerator. About four minutes and 64 GiB of memory.
#
#   JAVA="java MODULE_OPTIONS -cp CLASSPATH" BENCHMARKS_JAR=.. [RAPIDS_JAR=..] \
#     sql-on-gpu.sh MACHINE COMMIT DATA_FOLDER
set -u
[ $# = 3 ] || { sed -n '2,6p' "$0"; exit 2; }
main=io.sparkstencil.benchmarks.Benchmarks
common=(--machine "$1" --commit "$2" --data "$3" --master 'local[16]' --series 1024 --files 64 --check 2000000 --repeats 3)

$JAVA -Xmx48g $main sql "${common[@]}" --rows 8000000 --work unpartitioned --radii 8 --subjects spark,cpu,gpu --peer-repeats 1
$JAVA -Xmx64g $main sql "${common[@]}" --rows 64000000 --work partitioned --radii 8,32 --subjects spark,cpu,gpu --peer-repeats 1
$JAVA -Xmx64g $main sql "${common[@]}" --rows 64000000 --work ordered,unpartitioned --radii 8 --subjects cpu,gpu,sql

[ -n "${RAPIDS_JAR:-}" ] || exit 0
rapids() {
  # The plugin finds its classes by the class loader of spark-submit.
  $JAVA -Xmx40g org.apache.spark.deploy.SparkSubmit --master 'local[16]' --jars "$RAPIDS_JAR" \
    --conf spark.plugins=com.nvidia.spark.SQLPlugin --conf spark.rapids.sql.explain=NONE \
    --conf spark.rapids.sql.concurrentGpuTasks=4 --conf spark.rapids.memory.pinnedPool.size=8g \
    --class $main "$BENCHMARKS_JAR" sql "${common[@]}" --subjects rapids --against cpu "$@"
}
rapids --rows 64000000 --work partitioned,unpartitioned --radii 8
rapids --rows 8000000 --work unpartitioned --radii 8
