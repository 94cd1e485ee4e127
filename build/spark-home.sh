#!/usr/bin/env bash
# Makes a folder that serves as SPARK_HOME, of what Maven has of a line of Spark: build/spark-home.sh LINE FOLDER
#
# It has jars, and a bin/spark-submit that does what that of a distribution does. LINE is 4.0, 4.1 or 4.2. The project's classes
# must have been built before (mvn package -DskipTests).
set -euo pipefail
cd "$(dirname "$0")/.."

readonly line="$1" folder="$2"
mkdir -p "$folder/bin" "$folder/jars"
rm -f "$folder"/jars/*
# What Spark itself brings: neither this project nor what is packed with it.
mvn -B -ntp -q "-Pspark-$line" -pl jobs -am test-compile dependency:build-classpath -DincludeScope=compile \
  -DexcludeGroupIds=io.sparkstencil,info.picocli,org.knowm.xchart,org.apache.xmlgraphics,org.jcuda,com.eclipsesource.minimal-json \
  "-Dmdep.outputFile=$folder/class-path.txt" -Dmdep.overWriteIfNewer=true
tr ':' '\n' <"$folder/class-path.txt" | while IFS= read -r jar || [ -n "$jar" ]; do ln -sf "$jar" "$folder/jars/"; done
cat >"$folder/bin/spark-submit" <<'END'
#!/usr/bin/env bash
set -euo pipefail
SPARK_HOME="$(cd "$(dirname "$0")/.." && pwd)"
export SPARK_HOME SPARK_SCALA_VERSION=2.13
command=()
while IFS= read -r -d '' word; do # after an empty line, as Spark's launcher writes it
  command+=("${word#$'\n'}")
done < <("${JAVA_HOME:+$JAVA_HOME/bin/}java" -cp "$SPARK_HOME/jars/*" org.apache.spark.launcher.Main org.apache.spark.deploy.SparkSubmit "$@")
if [ -z "${command[0]}" ]; then command=("${command[@]:1}"); fi
exec "${command[@]}"
END
chmod +x "$folder/bin/spark-submit"
