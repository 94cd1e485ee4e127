#!/usr/bin/env bash
# Runs the command, and the tests of windows, arrays, the API and grids, on every line of Spark and every JDK at hand:
#
#   build/matrix.sh [-l LINES] [-j JDKS] [-m MODULES] [TESTS]
#
#   -l  lines of Spark, separated by spaces; default: 4.0 4.1 4.2
#   -j  the JDKs' folders, separated by spaces; default: all under /usr/lib/jvm, and JAVA_HOME
#   -m  modules, separated by spaces; default: all up to spark-udfs. Those that know no Spark run once for each JDK
#   TESTS  names or patterns of classes, separated by commas, such as 'Window*Test,GridSparkTest'; default: all of the modules.
#          none: the command alone. GoldenWindowsSparkTest runs on 4.1 alone
#
# So -l 4.2 -m spark-udfs takes minutes, and everything with two JDKs more than an hour on two cores. The command is bin/stencil with
# doctor, demo, apply and solve. JDK 24 and later with Spark 4.0 and 4.1, whose Hadoop they refuse, are to be refused with the way
# out, and have no other tests. LINES and JDKS may be variables of the environment, too. Classes are built once, by the first JDK, as
# users get them. Each result is printed when it is there, and all of them as a table at the end, with the tests that failed. Results
# and logs stay in target/matrix; exit code 1 if a combination failed.
set -euo pipefail
cd "$(dirname "$0")/.."

lines="${LINES:-4.0 4.1 4.2}"
jdks="${JDKS:-${JAVA_HOME:-} $(echo /usr/lib/jvm/*)}"
modules="core testkit kernels fields spark-runtime spark-grids spark-windows spark-udfs"
while getopts l:j:m: option; do
  case "$option" in
    l) lines="$OPTARG" ;;
    j) jdks="$OPTARG" ;;
    m) modules="$OPTARG" ;;
    *) sed -n 's/^#   //p' "$0" >&2; exit 2 ;;
  esac
done
shift $((OPTIND - 1))
readonly lines jdks modules tests="${1:-*}"
readonly logs="$PWD/target/matrix"
readonly results="$logs/results.txt"
mkdir -p "$logs"
for module in $modules; do
  [ -d "$module/src/test" ] || { echo "matrix.sh: no module $module with tests; those here: $(echo */src/test | sed 's,/src/test,,g')" >&2; exit 2; }
done
for line in $lines; do
  case "$line" in 4.0 | 4.1 | 4.2) ;; *) echo "matrix.sh: no Spark $line; lines are 4.0, 4.1 and 4.2" >&2; exit 2 ;; esac
done

folders_of_jdks() {
  local folder
  for folder in $jdks; do
    if [ -x "$folder/bin/javac" ]; then readlink -f "$folder"; fi
  done | sort -u
}

version_of() {
  "$1/bin/java" -version 2>&1 | sed -n 's/.*version "\([0-9]*\).*/\1/p' | head -n 1
}

# Names the test classes of modules that are asked for, separated by commas. Allocations need a JVM of their own, as mvn verify gives
# them, and Spark's own statements and results differ between lines: that test is written by those of 4.1.
classes_of() {
  local line="$1" module file name pattern
  shift
  for module in "$@"; do
    while IFS= read -r file; do
      name="$(basename "$file" .java)"
      case "$name" in *AllocationTest) continue ;; esac
      if [ "$line" != 4.1 ] && [ "$name" = GoldenWindowsSparkTest ]; then continue; fi
      while IFS= read -r -d , pattern; do
        # shellcheck disable=SC2254 # a pattern
        case "$name" in $pattern) echo "$name"; break ;; esac
      done <<<"$tests,"
    done < <(find "$module/src/test" -name '*Test.java')
  done | sort -u | paste -sd, -
}

# Says what the tests of a module came to by its reports, and names those that failed into a file.
sum_of_tests() {
  find "$1/target/surefire-reports" -name 'TEST-*.xml' -exec cat {} + 2>/dev/null | awk -v failed="$2" -v module="$1" '
    function value(name) { return match($0, " " name "=\"[^\"]*\"") ? substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 4) : "" }
    /<testsuite / { run += value("tests"); failures += value("failures"); errors += value("errors"); skipped += value("skipped") }
    /<testcase / { test = value("classname") "." value("name") }
    /<(failure|error)[ >]/ { print module ": " test >failed }
    END { if (run) printf "Tests run: %d, Failures: %d, Errors: %d, Skipped: %d\n", run, failures, errors, skipped }'
}

# Prints a result, and keeps it for the table.
tell() {
  printf '%-6s %-6s %-14s %s\n' "$1" "$2" "$3" "$4" | tee -a "$results"
}

# Runs tests of modules with a JDK and a line of Spark, on classes that are there.
try_tests() {
  local jdk="$1" version="$2" line="$3" module result names start="$SECONDS" said log="$logs/jdk-$2-spark-$3.log"
  shift 3
  names="$(classes_of "$line" "$@")"
  if [ -z "$names" ]; then return 0; fi
  for module in "$@"; do rm -rf "$module/target/surefire-reports"; done
  # 4.1, with which classes are compiled, has a profile too: nothing is compiled again by another JDK.
  said=
  JAVA_HOME="$jdk" mvn -B -ntp "-Pspark-$line" -pl "$(printf '%s\n' "$@" | paste -sd, -)" -am test-compile surefire:test@default-test \
    "-Dtest=$names" -Dstencil.answers=asked -Dstencil.testing.compiled=true -Dtest.codegen=FALLBACK -Dsurefire.failIfNoSpecifiedTests=false -Dmaven.test.failure.ignore=true >"$log" 2>&1 </dev/null ||
    said="did not end well; see $log"
  for module in "$@"; do
    : >"$logs/failed"
    result="$(sum_of_tests "$module" "$logs/failed")"
    case "$result" in
      "") continue ;;
      *"Failures: 0, Errors: 0"*) ;;
      *) failed=1 ;;
    esac
    tell "$version" "$line" "$module" "$result"
    sed 's/^/                /' "$logs/failed" | tee -a "$results"
  done
  if [ -n "$said" ]; then failed=1; fi
  tell "$version" "$line" "tests" "${said:-$(((SECONDS - start + 59) / 60)) minutes}"
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
rm -f "$results"
tell JDK Spark what result
while IFS= read -r jdk; do
  version="$(version_of "$jdk")"
  if [ "${version:-0}" -lt 17 ]; then continue; fi
  if [ -z "$built" ]; then
    JAVA_HOME="$jdk" mvn -B -ntp -q -pl survey -am package -DskipTests >"$logs/build.log" 2>&1 </dev/null ||
      { echo "the build failed; see $logs/build.log" >&2; exit 1; }
    built=yes
  fi
  tried= # modules without Spark, by this JDK
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
      tell "$version" "$line" command "$result"
      continue
    fi
    result="works"
    try_command "$jdk" "$spark" "$work" </dev/null || { result="fails; see $work/log"; failed=1; }
    tell "$version" "$line" command "$result"
    if [ "$tests" = none ]; then continue; fi
    chosen=()
    for module in $modules; do
      case "$module" in
        core | testkit | kernels) if [ -z "$tried" ]; then chosen+=("$module"); fi ;;
        *) chosen+=("$module") ;;
      esac
    done
    tried=yes
    if [ "${#chosen[@]}" -gt 0 ]; then try_tests "$jdk" "$version" "$line" "${chosen[@]}"; fi
  done
done < <(folders_of_jdks)
printf '\nAll results, which stay in %s:\n' "$results"
cat "$results"
exit "$failed"
