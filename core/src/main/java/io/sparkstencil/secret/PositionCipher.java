/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.secret;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Map;
import java.util.TreeMap;
import javax.crypto.Cipher;
import javax.crypto.ShortBufferException;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Encrypts the bytes of one file by AES in counter mode, so that any part of them can be written
 * and read by itself. The key is made at random and never leaves the memory of the process, as the
 * file is of no use to another. What is written in a place again gets counters of its own: two
 * versions of a place tell nothing about each other. Safe for several threads.
 */
public final class PositionCipher {
  private static final int BLOCK_BYTES = 16;

  private final SecretKeySpec key;
  private final TreeMap<Long, Written> written = new TreeMap<>(); // by the first byte, none overlap
  private long writes;

  /** Bytes of one write, up to {@code end}. */
  private record Written(long end, long number) {}

  /** Makes a key of so many bits: 128, 192 or 256. */
  public PositionCipher(int keyBits) {
    byte[] random = new byte[keyBits / Byte.SIZE];
    new SecureRandom().nextBytes(random);
    key = new SecretKeySpec(random, "AES");
  }

  /**
   * Encrypts bytes that go to a place in the file.
   *
   * @param bytes from their position to their limit; they are not changed
   * @return new bytes, as many
   */
  public ByteBuffer encrypt(long at, ByteBuffer bytes) {
    ByteBuffer encrypted = ByteBuffer.allocate(bytes.remaining());
    if (!bytes.hasRemaining()) {
      return encrypted;
    }
    apply(at, note(at, at + bytes.remaining()), bytes.duplicate(), encrypted);
    return encrypted.flip();
  }

  /** Decrypts bytes of the file from a place on, up to their limit, where they are. */
  public void decrypt(long at, ByteBuffer bytes) {
    long end = at + bytes.remaining();
    int first = bytes.position();
    parts(at, end)
        .forEach(
            (from, part) -> {
              long start = Math.max(from, at);
              int place = first + (int) (start - at);
              int count = (int) (Math.min(part.end(), end) - start);
              ByteBuffer encrypted = ByteBuffer.allocate(count);
              encrypted.put(0, bytes, place, count);
              apply(start, part.number(), encrypted, bytes.duplicate().position(place));
            });
  }

  /** Notes a write, in place of what was there; returns its number. */
  private synchronized long note(long from, long end) {
    Map.Entry<Long, Written> before = written.lowerEntry(from);
    if (before != null && before.getValue().end() > from) {
      Written cut = before.getValue();
      written.put(before.getKey(), new Written(from, cut.number()));
      keepBehind(end, cut);
    }
    Map<Long, Written> replaced = written.subMap(from, end);
    Map.Entry<Long, Written> last = written.lowerEntry(end);
    Written behind = last != null && last.getKey() >= from ? last.getValue() : null;
    replaced.clear();
    if (behind != null) {
      keepBehind(end, behind);
    }
    long number = writes++;
    written.put(from, new Written(end, number));
    return number;
  }

  private void keepBehind(long end, Written cut) {
    if (cut.end() > end) {
      written.put(end, cut);
    }
  }

  private synchronized Map<Long, Written> parts(long from, long end) {
    Long first = written.floorKey(from);
    TreeMap<Long, Written> parts =
        new TreeMap<>(written.subMap(first == null ? from : first, true, end, false));
    parts.values().removeIf(part -> part.end() <= from);
    return parts;
  }

  private void apply(long at, long number, ByteBuffer from, ByteBuffer to) {
    ByteBuffer counter = ByteBuffer.allocate(BLOCK_BYTES);
    counter.putLong(number).putLong(at / BLOCK_BYTES);
    try {
      Cipher cipher = Cipher.getInstance("AES/CTR/NoPadding");
      cipher.init(Cipher.ENCRYPT_MODE, key, new IvParameterSpec(counter.array()));
      cipher.update(new byte[(int) (at % BLOCK_BYTES)]);
      cipher.doFinal(from, to);
    } catch (ShortBufferException e) {
      throw new IllegalStateException("as many bytes come out as go in", e);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JVM has no AES in counter mode", e);
    }
  }
}
