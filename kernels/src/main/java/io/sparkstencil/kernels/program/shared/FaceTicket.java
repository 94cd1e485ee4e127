/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.program.shared;

import io.sparkstencil.machine.ThisMachine;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import java.util.UUID;

/**
 * Says where another process finds a face, and how it knows that it is the one. The memory has a
 * stamp for each slot, and then the slots.
 *
 * @param host the running system, which is another one after a restart
 * @param process the number of the process that has the memory
 * @param device the identity of its device
 * @param handle the driver's name of the memory
 * @param nonce at random; the stamps have it, so that no other use of the memory is taken for this
 * @param faceBytes the bytes of a face
 * @param slots the states that it has room for
 */
public record FaceTicket(
    String host,
    long process,
    String device,
    String handle,
    UUID nonce,
    long faceBytes,
    int slots) {
  /** The bytes of a stamp, and of the space between stamps. */
  public static final int STAMP_BYTES = 64;

  private static final int ALIGNED = 256;
  private static final String HOST = ThisMachine.boot();

  /** Returns a new ticket for memory of this process. */
  public static FaceTicket of(String device, byte[] handle, long faceBytes, int slots) {
    long process = ProcessHandle.current().pid();
    return new FaceTicket(
        HOST, process, device, nameOf(handle), UUID.randomUUID(), faceBytes, slots);
  }

  /** Returns a handle as tickets have it. */
  static String nameOf(byte[] handle) {
    return HexFormat.of().formatHex(handle);
  }

  /** Returns whether the memory is that of a process of this host. */
  public boolean isOfThisHost() {
    return host.equals(HOST);
  }

  /** Returns whether the memory is that of this process. */
  public boolean isOfThisProcess() {
    return isOfThisHost() && process == ProcessHandle.current().pid();
  }

  /** Returns the handle as the driver takes it. */
  public byte[] handleBytes() {
    return HexFormat.of().parseHex(handle);
  }

  /** Returns the bytes of the memory. */
  public long bytes() {
    return facesAt() + slots * slotBytes();
  }

  /** Returns the slot that a state has. */
  public int slotOf(int state) {
    return Math.floorMod(state, slots);
  }

  /** Returns where the stamp of a slot is. */
  public static long stampAt(int slot) {
    return (long) slot * ALIGNED;
  }

  /** Returns where a slot begins. */
  public long slotAt(int slot) {
    return facesAt() + slot * slotBytes();
  }

  private long facesAt() {
    return (long) slots * ALIGNED;
  }

  private long slotBytes() {
    return (faceBytes + ALIGNED - 1) / ALIGNED * ALIGNED;
  }

  /** Returns the stamp of a slot with a state. */
  public ByteBuffer stamp(int state) {
    ByteBuffer stamp = ByteBuffer.allocate(STAMP_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    while (stamp.hasRemaining()) { // twice, as memory is not written at one moment
      stamp.putLong(nonce.getMostSignificantBits()).putLong(nonce.getLeastSignificantBits());
      stamp.putLong(faceBytes).putLong(state);
    }
    return stamp.flip();
  }

  /** Returns the ticket as it travels. */
  public byte[] toBytes() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeUTF(host);
      out.writeLong(process);
      out.writeUTF(device);
      out.writeUTF(handle);
      out.writeLong(nonce.getMostSignificantBits());
      out.writeLong(nonce.getLeastSignificantBits());
      out.writeLong(faceBytes);
      out.writeInt(slots);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /** Returns the ticket of what {@link #toBytes} gave. */
  public static FaceTicket ofBytes(byte[] bytes) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      return new FaceTicket(
          in.readUTF(),
          in.readLong(),
          in.readUTF(),
          in.readUTF(),
          new UUID(in.readLong(), in.readLong()),
          in.readLong(),
          in.readInt());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
