/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.grid;

import io.sparkstencil.error.Cancellation;
import io.sparkstencil.error.CancelledException;
import io.sparkstencil.error.ErrorCode;
import io.sparkstencil.error.StencilException;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.secret.PositionCipher;
import io.sparkstencil.secret.PrivateFile;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A file that cells wait in. It is opened for each call, so that a thread that is interrupted
 * closes it for no other; several threads may read while one writes elsewhere in it.
 */
final class CellFile {
  private static final int PIECE_BYTES = 1 << 20;

  private final Path path;
  private final PositionCipher cipher; // null for bytes as they are

  /**
   * Creates the file, which is not there yet and which nobody else may read.
   *
   * @param keyBits of the key that cells are encrypted with, 0 to leave them as they are
   */
  CellFile(Path path, int keyBits) {
    this.path = path;
    cipher = keyBits == 0 ? null : new PositionCipher(keyBits);
    try {
      PrivateFile.create(path);
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private interface Use {
    void run(FileChannel file) throws IOException;
  }

  private void open(OpenOption how, Use use) {
    try {
      Cancellation.call(
          () -> {
            try (FileChannel file = FileChannel.open(path, how)) {
              use.run(file);
            }
            return null;
          });
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private RuntimeException failed(IOException e) {
    if (e instanceof ClosedByInterruptException) { // which the thread still is
      return new CancelledException("interrupted while cells are read or written in " + path);
    }
    return new StencilException(
        ErrorCode.INVALID_ARGUMENT,
        "the cells of a grid cannot wait in %s: %s; see that the disks of spark.local.dir have room, or give executors more memory"
            .formatted(path, e),
        e);
  }

  /**
   * Writes the cells of a box.
   *
   * @param at the byte where the first one goes
   * @param array the cells of a larger box, {@code of}
   */
  void write(long at, ElementType type, Object array, Box of, Box box) {
    open(
        StandardOpenOption.WRITE,
        file -> {
          long next = at;
          for (Box piece : box.pieces(PIECE_BYTES / type.bytes())) {
            ByteBuffer bytes = CellBoxes.buffer(piece.cells() * type.bytes());
            CellBoxes.pack(array, of, piece, bytes);
            next = write(file, next, bytes.flip());
          }
        });
  }

  /** Reads the cells of a box into an array of a larger one; see {@link #write}. */
  void read(long at, ElementType type, Object array, Box of, Box box) {
    open(
        StandardOpenOption.READ,
        file -> {
          long next = at;
          for (Box piece : box.pieces(PIECE_BYTES / type.bytes())) {
            ByteBuffer bytes = read(file, next, piece.cells() * type.bytes());
            next += bytes.remaining();
            CellBoxes.unpack(bytes, array, of, piece);
          }
        });
  }

  /** Writes bytes, from their position to their limit. */
  void write(long at, ByteBuffer bytes) {
    open(StandardOpenOption.WRITE, file -> write(file, at, bytes.duplicate()));
  }

  /** Reads bytes, in the byte order of packed cells. */
  ByteBuffer read(long at, int bytes) {
    ByteBuffer[] found = {null};
    open(StandardOpenOption.READ, file -> found[0] = read(file, at, bytes));
    return found[0];
  }

  /** Writes bytes in pieces, of which the JVM makes copies; returns where they end. */
  private long write(FileChannel file, long at, ByteBuffer plain) throws IOException {
    ByteBuffer bytes = cipher == null ? plain : cipher.encrypt(at, plain);
    long next = at;
    int end = bytes.limit();
    while (bytes.position() < end) {
      bytes.limit(Math.min(end, bytes.position() + PIECE_BYTES));
      next += file.write(bytes, next);
    }
    return next;
  }

  private ByteBuffer read(FileChannel file, long at, int count) throws IOException {
    ByteBuffer bytes = CellBoxes.buffer(count);
    while (bytes.position() < count) {
      bytes.limit(Math.min(count, bytes.position() + PIECE_BYTES));
      if (file.read(bytes, at + bytes.position()) < 0) {
        throw new EOFException("it ends after %d bytes".formatted(at + bytes.position()));
      }
    }
    bytes.flip();
    if (cipher != null) {
      cipher.decrypt(at, bytes);
    }
    return bytes;
  }

  /** Deletes the file; throws nothing, as what is left is deleted with its folder. */
  void delete() {
    try {
      Files.deleteIfExists(path);
    } catch (IOException e) {
      System.getLogger(CellFile.class.getName())
          .log(System.Logger.Level.WARNING, "{0} cannot be deleted: {1}", path, e.toString());
    }
  }
}
