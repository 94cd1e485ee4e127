#!/bin/bash
# Times ranges, running totals and ranks on a host with a GPU and 16 cores, all in sessions that have
# the RAPIDS Accelerator: RAPIDS and ours over 64 million rows, Spark's operator over 8 million of them
# where rows form one series. About eight minutes and 64 GiB of memory.
#
#   JAVA="java MODULE_OPTIONS -cp CLASSPATH" BENCHMARKS_JAR=.. RAPIDS_JAR=.. \
#     running-on-gpu.sh MACHINE COMMIT DATA_FOLDER [OPTION..]
set -u
[ $# -ge 3 ] || { sed -n '2,7p' "$0"; exit 2; }
machine=$1 commit=$2 data=$3
shift 3

measure() {
  # The plugin finds its classes by the class loader of spark-submit.
  # A heap of its size from the start: one that grows stops for a sixth of the time.
  $JAVA -Xms64g -Xmx64g -Xmn44g -XX:+UseParallelGC org.apache.spark.deploy.SparkSubmit --master 'local[16]' --jars "$RAPIDS_JAR" \
    --conf spark.plugins=com.nvidia.spark.SQLPlugin --conf spark.rapids.sql.explain=NONE \
    --conf spark.rapids.sql.concurrentGpuTasks=4 --conf spark.rapids.memory.pinnedPool.size=8g \
    --class io.sparkstencil.benchmarks.Benchmarks "$BENCHMARKS_JAR" running \
    --machine "$machine" --commit "$commit" --data "$data" --master 'local[16]' --arrivals feed --files 64 "$@"
}
measure --rows 64000000 --spark-rows 8000000 --over all --subjects spark,sql,rapids --repeats 1 "$@"
measure --rows 64000000 --over series --subjects spark,sql --repeats 1 "$@"
measure --rows 64000000 --over series --subjects sql,rapids --repeats 5 "$@"
