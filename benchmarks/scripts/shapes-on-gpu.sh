#!/bin/bash
# Times windows over series of many shapes on a host with a GPU and 16 cores, all in sessions that
# have the RAPIDS Accelerator: RAPIDS and ours over 64 million rows, Spark's operator over SPARK_ROWS of
# them, 8 million if not set. About ten minutes, 100 GiB of memory and 10 GiB of disk; less by '--shapes'
# and '--work'.
#
#   JAVA="java MODULE_OPTIONS -cp CLASSPATH" BENCHMARKS_JAR=.. RAPIDS_JAR=.. \
#     shapes-on-gpu.sh MACHINE COMMIT DATA_FOLDER [OPTION..]
set -u
[ $# -ge 3 ] || { sed -n '2,8p' "$0"; exit 2; }
machine=$1 commit=$2 data=$3
shift 3

# The plugin finds its classes by the class loader of spark-submit. It would take all memory of the GPU.
$JAVA -Xmx64g org.apache.spark.deploy.SparkSubmit --master 'local[16]' --jars "$RAPIDS_JAR" \
  --conf spark.plugins=com.nvidia.spark.SQLPlugin --conf spark.rapids.sql.explain=NONE \
  --conf spark.rapids.sql.concurrentGpuTasks=4 --conf spark.rapids.memory.pinnedPool.size=8g \
  --conf spark.rapids.memory.gpu.allocFraction=0.6 \
  --class io.sparkstencil.benchmarks.Benchmarks "$BENCHMARKS_JAR" shapes \
  --machine "$machine" --commit "$commit" --data "$data" --master 'local[16]' --files 64 \
  --rows 64000000 --spark-rows "${SPARK_ROWS:-8000000}" --spark-repeats 1 --subjects spark,rapids,cpu,gpu "$@"
