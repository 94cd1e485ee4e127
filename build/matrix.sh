#!/usr/bin/env bash
# Runs the command, and the tests of windows, arrays, the API and grids, on every line of Spark and every JDK at hand:
#
#   build/matrix.sh [TESTS]      patterns of surefire, such as '**/catalyst/**/*Test'; default: all of the modules up to spark-udfs;
#                                none: the command alone. GoldenWindowsSparkTest runs on 4.1 alone
#
# The command is bin/stencil with doctor, demo, apply and solve. JDK 24 and later with Spark 4.0 and 4.1, whose Hadoop they
# refuse, are to be refused with the way out, and have no other tests.
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

# Adds up what the tests of all modules came to, of which Maven prints a line each.
sum_of_tests() {
  awk '/^\[(INFO|ERROR|WARNING)\] Tests run:.*[0-9]$/ {
      gsub(/[^0-9 ]/, ""); run += $1; failures += $2; errors += $3; skipped += $4; modules++
    }
    END {
      if (modules) printf "Tests run: %d, Failures: %d, Errors: %d, Skipped: %d\n", run, failures, errors, skipped
    }' "$1"
}

# Runs the command with a JDK and an installation of Spark, and says what came of it.
try_command() {
  local jdk="$1" spark="$2" work="$3" log="$3/log"
  local -a run=(env "JAVA_HOME=$jdk" "SPARK_HOME=$spark" bin/stencil)
  rm -rf "$work" && mkdir -p "$work"
  "${run[@]}" doctor >"$log" 2>&1 &&
    "${run[@]}" demo --output "$work/demo" >>"$log" 2>&1 &&
    "${run[@]}" apply --input examples/data/seattle-weather.csv --order-by date --column temp_max --op mean --radius 15 \
      --output "$work/weather.parquet" >>"$log" 2>&1 &&
    "${run[@]}" solve --equation heat --grid 64x64 --steps 40 --blocks 4 --checkpoint "$work/kept" --every 5 \
      --output "$work/cells.npy" >>"$log" 2>&1 &&
    [ -s "$work/cells.npy" ] && [ -s "$work/demo/spots.gif" ] && [ -f "$work/weather.parquet/_SUCCESS" ]
}

# Succeeds if each command is refused with the way out, and nothing else is said or left.
is_refused() {
  local jdk="$1" spark="$2" work="$3" log="$3/log" word
  local -a run=(env "JAVA_HOME=$jdk" "SPARK_HOME=$spark" bin/stencil)
  rm -rf "$work" && mkdir -p "$work"
  if "${run[@]}" doctor >"$log" 2>&1; then return 1; fi
  grep -q '^broken   Hadoop ' "$log" && grep -q -- '-> set JAVA_HOME to JDK 17 or 21, or use Spark 4.2' "$log" || return 1
  for word in "demo --output $work/out" "solve --equation heat --grid 64x64 --output $work/out.npy" \
    "apply --input examples/data/seattle-weather.csv --order-by date --column temp_max --op mean --radius 15 --output $work/out"; do
    # shellcheck disable=SC2086 # words of a call
    if "${run[@]}" $word >"$work/said" 2>&1; then return 1; fi
    cat "$work/said" >>"$log"
    [ "$(grep -cv '^WARNING: \|^$' "$work/said")" -eq 1 ] && grep -q 'set JAVA_HOME to JDK 17 or 21, or use Spark 4.2' "$work/said" || return 1
  done
  [ -z "$(find "$work" -name 'out*' -o -name '.out*')" ]
}

failed=0
built=
printf '%-10s %-6s %s\n' JDK Spark result
while IFS= read -r jdk; do
  version="$(version_of "$jdk")"
  if [ "${version:-0}" -lt 17 ]; then continue; fi
  if [ -z "$built" ]; then
    JAVA_HOME="$jdk" mvn -B -ntp -q -pl survey -am package -DskipTests >"$logs/build.log" 2>&1 </dev/null ||
      { echo "the build failed; see $logs/build.log" >&2; exit 1; }
    built=yes
  fi
  for line in $lines; do
    spark="$logs/spark-$line"
    work="$logs/command-jdk-$version-spark-$line"
    if [ ! -x "$spark/bin/spark-submit" ]; then
      JAVA_HOME="$jdk" build/spark-home.sh "$line" "$spark" >"$spark.log" 2>&1 </dev/null ||
        { echo "no Spark $line; see $spark.log" >&2; exit 1; }
    fi
    if [ "$version" -ge 24 ] && compgen -G "$spark/jars/hadoop-client-api-3.[0-4].*.jar" >/dev/null; then
      result="refused, with the way out"
      is_refused "$jdk" "$spark" "$work" </dev/null || { result="not refused as it must be; see $work/log"; failed=1; }
      printf '%-10s %-6s %s\n' "$version" "$line" "$result"
      continue
    fi
    result="the command works"
    try_command "$jdk" "$spark" "$work" </dev/null || { result="the command fails; see $work/log"; failed=1; }
    printf '%-10s %-6s %s\n' "$version" "$line" "$result"
    if [ "${1:-}" = none ]; then continue; fi
    log="$logs/jdk-$version-spark-$line.log"
    # Spark's own statements and results differ between lines; the test is written by those of 4.1.
    line_tests="$tests"
    if [ "$line" != 4.1 ]; then line_tests="$tests,!**/GoldenWindowsSparkTest"; fi
    # 4.1, with which classes are compiled, has a profile too: nothing is compiled again by another JDK.
    if JAVA_HOME="$jdk" mvn -B -ntp "-Pspark-$line" -pl spark-udfs -am test-compile surefire:test@default-test \
      "-Dtest=$line_tests" -Dstencil.answers=asked -Dsurefire.failIfNoSpecifiedTests=false -Dmaven.test.failure.ignore=true >"$log" 2>&1 </dev/null; then
      result="$(sum_of_tests "$log")"
      case "$result" in *"Failures: 0, Errors: 0"*) ;; *) failed=1 ;; esac
    else
      result="did not run; see $log"
      failed=1
    fi
    printf '%-10s %-6s %s\n' "$version" "$line" "${result:-no tests}"
  done
done < <(jdks)
exit "$failed"
