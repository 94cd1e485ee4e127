#!/usr/bin/env bash
# Builds examples/consumer, a project of its own, against this project's artifacts, as users get them: installs these in the
# local Maven repository, unless MAVEN_OPTS names another by -Dmaven.repo.local, and runs the project's test.
set -euo pipefail
cd "$(dirname "$0")/.."

readonly version="${1:-0.2.0}"
mvn -B -ntp -q "-Drevision=$version" -Dmaven.test.skip=true -pl spark-udfs -am install
mvn -B -ntp -f examples/consumer/pom.xml "-Dspark-stencil.version=$version" clean test
