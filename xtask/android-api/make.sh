#!/bin/sh
# Writes src/device/agent/java/droidtest/host/android-api.txt: which of Java's classes and members Android has.
#
#   xtask/android-api/make.sh
#
# The source is com.toasttab.android:gummy-bears-api-34 (Maven Central, Apache-2.0): the public and protected API of an
# SDK's android.jar in animal-sniffer's format. `later.txt` has what Android 15 and 16 add. Needs a JDK and Maven.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
repository=${MAVEN_REPO:-$HOME/.m2/repository}
signatures=com.toasttab.android:gummy-bears-api-34:0.12.0
sniffer=org.codehaus.mojo:animal-sniffer:1.23

mvn -q -B dependency:get -Dtransitive=false -Dmaven.repo.local="$repository" -Dartifact="$signatures:signature"
mvn -q -B dependency:get -Dtransitive=false -Dmaven.repo.local="$repository" -Dartifact="$sniffer"

out=$here/../../src/device/agent/java/droidtest/host/android-api.txt
{
    echo "# Java's public and protected API in Android 14, from $signatures (Apache-2.0); by xtask/android-api/make.sh."
    java -cp "$repository/org/codehaus/mojo/animal-sniffer/1.23/animal-sniffer-1.23.jar" "$here/ListApi.java" \
        "$repository/com/toasttab/android/gummy-bears-api-34/0.12.0/gummy-bears-api-34-0.12.0.signature"
    cat "$here/later.txt"
} > "$out"
