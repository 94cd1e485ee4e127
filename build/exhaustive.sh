#!/usr/bin/env bash
# Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0
# build/exhaustive.sh [OPTION ...]: what a build tries a part of, in full: windows of all functions and types in all frames and ways,
# many random windows and queries, and kills of executors at more moments. Takes hours. Options go to Maven, such as
# -Dstencil.windows.seed=1000 for other queries. The kernels have exhaustive checks of their own: kernels/README.md.
set -euo pipefail
cd "$(dirname "$0")/.."
exec mvn -Pexhaustive -Dtest.codegen=FALLBACK -pl spark-grids,spark-udfs -am test -Dtest='*CasesSparkTest,WholeQueriesSparkTest,WindowMatrixSparkTest,GridClusterSparkTest,LocalClusterSparkTest' \
    -Dsurefire.failIfNoSpecifiedTests=false "$@"
