#!/usr/bin/env python3
# Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0
"""Joins two network namespaces by a link with a rate and a delay, on kernels without netem.

    delayed_link.py NAMESPACE-1 NAMESPACE-2 BITS-PER-SECOND DELAY-SECONDS

Each namespace gets a TUN device that has the namespace's name. Packets wait here: one after the
other at the rate, then for the delay; what would wait for longer than 50 ms at the rate is dropped.
Prints "ready" when both devices are there, and what it carried when it is told to end.
"""

import collections
import ctypes
import fcntl
import os
import selectors
import signal
import struct
import sys
import time

TUNSETIFF, IFF_TUN, IFF_NO_PI = 0x400454CA, 0x0001, 0x1000
CLONE_NEWNET = 0x40000000
LONGEST_QUEUE = 0.05
LARGEST_PACKET = 65536


def open_device(namespace):
    """Returns the descriptor of a new TUN device in a namespace, which this process enters."""
    libc = ctypes.CDLL(None, use_errno=True)
    with open(f"/run/netns/{namespace}") as handle:
        if libc.setns(handle.fileno(), CLONE_NEWNET) != 0:
            raise OSError(ctypes.get_errno(), f"cannot enter the namespace {namespace}")
    device = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(device, TUNSETIFF, struct.pack("16sH22x", namespace.encode(), IFF_TUN | IFF_NO_PI))
    return device


class Direction:
    """Packets on their way from one device to the other, oldest first."""

    def __init__(self, source, target, rate, delay):
        self.source, self.target, self.rate, self.delay = source, target, rate, delay
        self.packets = collections.deque()
        self.free = 0.0  # when the last packet has left the source
        self.carried = self.dropped = 0

    def take(self):
        now = time.monotonic()
        while True:
            try:
                packet = os.read(self.source, LARGEST_PACKET)
            except BlockingIOError:
                return
            if self.free - now > LONGEST_QUEUE:
                self.dropped += 1
                continue
            self.free = max(self.free, now) + 8 * len(packet) / self.rate
            self.packets.append((self.free + self.delay, packet))

    def give(self):
        """Hands over what is due, and returns the seconds until the next packet is; None without one."""
        while self.packets:
            due = self.packets[0][0] - time.monotonic()
            if due > 0:
                return due
            packet = self.packets.popleft()[1]
            try:
                os.write(self.target, packet)
                self.carried += len(packet)
            except OSError:  # the device is down or full: a link loses packets then
                self.dropped += 1
        return None


def main(first, second, rate, delay):
    devices = [open_device(first), open_device(second)]
    ways = [
        Direction(devices[0], devices[1], rate, delay),
        Direction(devices[1], devices[0], rate, delay),
    ]
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    print("ready", flush=True)
    with selectors.DefaultSelector() as selector:
        for way in ways:
            selector.register(way.source, selectors.EVENT_READ, way)
        try:
            while True:
                waits = [due for due in (way.give() for way in ways) if due is not None]
                for key, _ in selector.select(min(waits) if waits else None):
                    key.data.take()
        finally:
            for name, way in zip((first, second), ways):
                print(f"{name}: {way.carried} bytes carried, {way.dropped} packets dropped", file=sys.stderr)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], float(sys.argv[3]), float(sys.argv[4]))
