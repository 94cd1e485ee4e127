#!/usr/bin/env bash
# Runs the tests of windows, arrays, the API and grids on every line of Spark and every JDK at hand:
#
#   build/matrix.sh [TESTS]      patterns of surefire, such as '**/catalyst/**/*Test'; default: all of module spark-udfs
#
# JDKS names the JDKs' folders, separated by spaces; without it all under /usr/lib/jvm are taken, and JAVA_HOME.
# LINES names the lines of Spark; default: 4.0 4.1 4.2. Classes are built once, by the first JDK, as users get them.
# Prints a table and leaves logs in target/matrix; exit code 1 if a combination failed.
set -euo pipefail
cd "$(dirname "$0")/.."

readonly tests="${1:-**/*Test},!**/*AllocationTest" # allocations need a JVM of their own, as mvn verify gives them
readonly lines="${LINES:-4.0 4.1 4.2}"
readonly logs="$PWD/target/matrix"
mkdir -p "$logs"

jdks() {
  local folder
  for folder in ${JDKS:-${JAVA_HOME:-} /usr/lib/jvm/*}; do
    if [ -x "$folder/bin/javac" ]; then readlink -f "$folder"; fi
  done | sort -u
}

version_of() {
  "$1/bin/java" -version 2>&1 | sed -n 's/.*version "\([0-9]*\).*/\1/p' | head -n 1
}

failed=0
built=
printf '%-10s %-6s %s\n' JDK Spark result
while IFS= read -r jdk; do
  version="$(version_of "$jdk")"
  if [ "${version:-0}" -lt 17 ]; then continue; fi
  if [ -z "$built" ]; then
    JAVA_HOME="$jdk" mvn -B -ntp -q -pl spark-udfs -am package -DskipTests >"$logs/build.log" 2>&1 ||
      { echo "the build failed; see $logs/build.log" >&2; exit 1; }
    built=yes
  fi
  for line in $lines; do
    log="$logs/jdk-$version-spark-$line.log"
    # 4.1, with which classes are compiled, has a profile too: nothing is compiled again by another JDK.
    if JAVA_HOME="$jdk" mvn -B -ntp "-Pspark-$line" -pl spark-udfs -am test-compile surefire:test@default-test \
      "-Dtest=$tests" -Dsurefire.failIfNoSpecifiedTests=false -Dmaven.test.failure.ignore=true >"$log" 2>&1; then
      result="$(grep -E '^\[(INFO|ERROR|WARNING)\] Tests run:.*[0-9]$' "$log" | tail -n 1 | sed 's/^\[[A-Z]*\] //')"
      case "$result" in *"Failures: 0, Errors: 0"*) ;; *) failed=1 ;; esac
    else
      result="did not run; see $log"
      failed=1
    fi
    printf '%-10s %-6s %s\n' "$version" "$line" "${result:-no tests}"
  done
done < <(jdks)
exit "$failed"
