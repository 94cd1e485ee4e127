/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.faces;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * Where an executor takes the faces of a run that are pushed to it.
 *
 * @param executor which one, as a preferred location
 * @param host of its server
 * @param port of its server
 * @param secret proves that whoever pushes has been told
 */
record PushTicket(String executor, String host, int port, PushSecret secret) {
  byte[] toBytes() {
    byte[] name = executor.getBytes(UTF_8);
    byte[] where = host.getBytes(UTF_8);
    ByteBuffer bytes =
        ByteBuffer.allocate(3 * Integer.BYTES + PushSecret.BYTES + name.length + where.length);
    bytes.putInt(port).putInt(name.length).putInt(where.length);
    secret.put(bytes);
    return bytes.put(name).put(where).array();
  }

  /** Returns the ticket in some bytes; nothing if it is that of another executor. */
  static Optional<PushTicket> of(byte[] ticket, String executor) {
    ByteBuffer bytes = ByteBuffer.wrap(ticket);
    int port = bytes.getInt();
    byte[] name = new byte[bytes.getInt()];
    byte[] where = new byte[bytes.getInt()];
    PushSecret secret = PushSecret.of(bytes);
    bytes.get(name).get(where);
    return executor.equals(new String(name, UTF_8))
        ? Optional.of(new PushTicket(executor, new String(where, UTF_8), port, secret))
        : Optional.empty();
  }
}
