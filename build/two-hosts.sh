#!/usr/bin/env bash
# Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0
# build/two-hosts.sh [KILLS]: grids on two hosts made of two network namespaces, joined by 1 Gb/s with a delay of 0.2 ms each way: so
# many executors are killed with signal 9 at random moments (20), the link is cut for 3 s, a host stops for 3 s; then both ways of
# faces are timed. Needs root, ip and tc. A kernel without netem has no delay. RATE and DELAY are other values for tc.
set -euo pipefail
cd "$(dirname "$0")/.."
kills=${1:-20} rate=${RATE:-1gbit} delay=${DELAY:-0.2ms}
clean() {
  ip netns del stencil-1 2> /dev/null || true
  ip netns del stencil-2 2> /dev/null || true
}
clean
trap clean EXIT
ip netns add stencil-1
ip netns add stencil-2
ip link add stencil-1 netns stencil-1 type veth peer name stencil-2 netns stencil-2
for host in 1 2; do
  name=stencil-$host
  ip -n "$name" addr add "10.77.0.$host/24" dev "$name"
  ip -n "$name" link set "$name" up
  ip -n "$name" link set lo up
  if ! tc -n "$name" qdisc add dev "$name" root netem delay "$delay" rate "$rate" 2> /dev/null; then
    echo "two-hosts.sh: this kernel has no netem; the link has $rate and no delay" >&2
    tc -n "$name" qdisc add dev "$name" root tbf rate "$rate" burst 128k latency 50ms
  fi
done
ip netns exec stencil-1 mvn -o -pl spark-grids -am test -Dtest="${TESTS:-GridTwoHostsSparkTest}" -Dsurefire.failIfNoSpecifiedTests=false \
    "-Dstencil.test.hosts=$kills"
