#!/usr/bin/env bash
# Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0
# build/torture.sh [ROUNDS [KILLS [SEED]]]: checkpoints under kills, full disks, damaged files, second runs and moved clocks: so many
# rounds in one process (500), and so many drivers that are killed with signal 9 (20). As root, some rounds write to a small
# file system in memory that is soon full.
set -euo pipefail
cd "$(dirname "$0")/.."
rounds=${1:-500} kills=${2:-20} seed=${3:-48}
small=""
if [ "$(id -u)" = 0 ]; then
  small=$(mktemp -d)
  if mount -t tmpfs -o size=160k tmpfs "$small" 2> /dev/null; then
    trap 'umount "$small"; rmdir "$small"' EXIT
  else
    rmdir "$small"
    small=""
  fi
fi
options="-Dstencil.test.torture.rounds=$rounds -Dstencil.test.torture.kills=$kills -Dstencil.test.torture.seed=$seed"
options="$options -Dstencil.test.torture.small=$small"
# shellcheck disable=SC2086 # words
mvn -pl core,testkit,kernels,fields,spark-runtime,spark-grids,jobs -am test -Dtest='CheckpointTortureSparkTest,KilledDriverSparkTest' \
    -Dsurefire.failIfNoSpecifiedTests=false $options
