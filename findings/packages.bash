# Sourced by each script of this folder. Brings pinned public packages into a temporary folder, which is removed at the end.
#
#   debian NAME=VERSION...   Debian 12 packages with what they need, unpacked; 'python FILE' then runs Debian's Python with them, 'r FILE' Debian's R
#   maven GROUP:NAME:VERSION...   jars with what they need; then 'java_file FILE ARGUMENTS...' compiles and runs a source file
#   npm_packages NAME@VERSION...   packages of npm, in $TEMP/node_modules
#   expect WHAT WANTED GOT   prints an observation, and fails when it is not the one that was seen before
#
# Nothing of Spark Stencil is used. Needed on the machine: bash, and apt and dpkg, JDK 17 and Maven, or Node.js.
set -euo pipefail
TEMP=$(mktemp -d)
trap 'rm -rf "$TEMP"' EXIT
CHANGED=0

debian() {
  mkdir -p "$TEMP/debs/partial" "$TEMP/root"
  # Packages that the machine has already are not brought again; their versions are those that it has.
  apt-get -qq -y --no-install-recommends --reinstall --download-only -o Debug::NoLocking=1 -o Dir::Cache::archives="$TEMP/debs" \
    install "$@" > "$TEMP/apt.log" 2>&1 || { cat "$TEMP/apt.log" >&2; echo "These versions are not to be had here: $*" >&2; exit 2; }
  local deb
  for deb in "$TEMP"/debs/*.deb; do dpkg-deb -x "$deb" "$TEMP/root"; done
  export PYTHONPATH="$TEMP/root/usr/lib/python3/dist-packages"
  export LD_LIBRARY_PATH="$TEMP/root/usr/lib/$(uname -m)-linux-gnu:$TEMP/root/usr/lib:$TEMP/root/usr/lib/$(uname -m)-linux-gnu/blas:$TEMP/root/usr/lib/$(uname -m)-linux-gnu/lapack"
  export PATH="$TEMP/root/usr/bin:$PATH" GDAL_DATA="$TEMP/root/usr/share/gdal" PROJ_LIB="$TEMP/root/usr/share/proj"
}

python() {
  local interpreter=/usr/bin/python3
  [ -x "$TEMP/root/usr/bin/python3" ] && interpreter="$TEMP/root/usr/bin/python3"
  "$interpreter" -W ignore "$@"
}

# Runs R from where it was unpacked; what its launcher would set is given here.
r() {
  local home="$TEMP/root/usr/lib/R"
  [ -e "$home/etc/Renviron" ] || { rm -rf "$home/etc" && cp -r "$TEMP/root/etc/R" "$home/etc" && touch "$home/etc/Renviron"; }
  LD_LIBRARY_PATH="$home/lib:$LD_LIBRARY_PATH" R_HOME="$home" R_SHARE_DIR="$TEMP/root/usr/share/R/share" R_DOC_DIR="$TEMP/root/usr/share/R/doc" \
    R_LIBS="$home/site-library" R_DEFAULT_PACKAGES=utils,stats,methods EDITOR=vi PAGER=cat R_PAPERSIZE=a4 R_BROWSER=false R_PDFVIEWER=false \
    "$home/bin/exec/R" --no-echo --no-save -f "$1" 2> "$TEMP/r.log" || { cat "$TEMP/r.log" >&2; exit 2; }
}

maven() {
  {
    echo '<project><modelVersion>4.0.0</modelVersion><groupId>findings</groupId><artifactId>findings</artifactId><version>1</version><dependencies>'
    local coordinates parts
    for coordinates in "$@"; do
      IFS=: read -r -a parts <<< "$coordinates"
      echo "<dependency><groupId>${parts[0]}</groupId><artifactId>${parts[1]}</artifactId><version>${parts[2]}</version></dependency>"
    done
    echo '</dependencies></project>'
  } > "$TEMP/pom.xml"
  mvn -q -B -f "$TEMP/pom.xml" org.apache.maven.plugins:maven-dependency-plugin:3.8.1:build-classpath -Dmdep.outputFile="$TEMP/class-path" > "$TEMP/maven.log" 2>&1 ||
    { cat "$TEMP/maven.log" >&2; exit 2; }
  CLASS_PATH=$(cat "$TEMP/class-path")
}

# Compiles one Java source file, and runs its main class with the class path and with what Spark passes to its own JVMs.
java_file() {
  local file=$1 name opens=() package
  name=$(basename "$file" .java)
  shift
  for package in lang lang.invoke lang.reflect io net nio util util.concurrent util.concurrent.atomic; do opens+=("--add-opens=java.base/java.$package=ALL-UNNAMED"); done
  opens+=(--add-opens=java.base/sun.nio.ch=ALL-UNNAMED --add-opens=java.base/sun.nio.cs=ALL-UNNAMED --add-opens=java.base/sun.security.action=ALL-UNNAMED --add-opens=java.base/sun.util.calendar=ALL-UNNAMED)
  javac -d "$TEMP/classes" -cp "$CLASS_PATH" "$file" &&
    java -Xmx1g "${opens[@]}" -Djava.io.tmpdir="$TEMP" -cp "$TEMP/classes:$CLASS_PATH" "$name" "$@" 2> "$TEMP/java.log" ||
    { tail -40 "$TEMP/java.log" >&2; exit 2; }
}

npm_packages() {
  (cd "$TEMP" && echo '{"private":true}' > package.json && npm install --silent --no-audit --no-fund "$@" > npm.log 2>&1) || { cat "$TEMP/npm.log" >&2; exit 2; }
}

expect() {
  printf '%-60s %s\n' "$1" "$3"
  if [ "$2" != "$3" ]; then
    echo "    CHANGED: before it was $2" >&2
    CHANGED=1
  fi
}

finish() {
  [ "$CHANGED" = 0 ] || { echo 'The behaviour has changed.' >&2; exit 1; }
  echo 'As described.'
}
