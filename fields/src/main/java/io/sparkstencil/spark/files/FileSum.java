/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files;

import java.io.Serializable;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;

/**
 * What a file was when it was written.
 *
 * @param name its path from the folder that it belongs to, with slashes
 * @param bytes its length
 * @param checksum its checksum crc32. Chunks end with their own crc32c, and whatever ends so has
 *     one and the same crc32c
 */
public record FileSum(String name, long bytes, int checksum) implements Serializable {
  /** Returns the sum of a file that has these bytes. */
  public static FileSum of(String name, ByteBuffer bytes) {
    return new FileSum(name, bytes.remaining(), checksum(bytes));
  }

  /** Returns the checksum crc32 of bytes. */
  public static int checksum(ByteBuffer bytes) {
    CRC32 checksum = new CRC32();
    checksum.update(bytes.duplicate());
    return (int) checksum.getValue();
  }

  /** Returns the same of a file in a folder of this name. */
  public FileSum in(String folder) {
    return new FileSum(folder + "/" + name, bytes, checksum);
  }

  /**
   * Reads the file.
   *
   * @throws FieldFileException if it is missing, or has other bytes than when it was written
   */
  public byte[] read(StoredFile file) {
    requireLength(file, file.length().orElse(-1L));
    byte[] read = file.read(bytes).orElseThrow(() -> missing(file));
    requireLength(file, read.length);
    int found = checksum(ByteBuffer.wrap(read));
    if (found != checksum) {
      throw FieldFileException.broken(
          "%s has the checksum %08x, and had %08x when it was written: it has changed since; bring the file back, or begin without it"
              .formatted(file, found, checksum));
    }
    return read;
  }

  /**
   * Checks the length of the file.
   *
   * @param length its bytes, or -1 if it is missing
   * @throws FieldFileException if it is missing, or longer or shorter than when it was written
   */
  public void requireLength(StoredFile file, long length) {
    if (length < 0) {
      throw missing(file);
    }
    if (length != bytes) {
      throw FieldFileException.broken(
          "%s has %d bytes, and had %d when it was written: it has changed since; bring the file back, or begin without it"
              .formatted(file, length, bytes));
    }
  }

  private static FieldFileException missing(StoredFile file) {
    return FieldFileException.broken(
        "%s is missing, and was there when all was written; bring the file back, or begin without it"
            .formatted(file));
  }
}
