/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.hdf5;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.spark.files.CellFormat;
import io.sparkstencil.spark.files.CellType;
import io.sparkstencil.spark.files.codec.ChunkBytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Structures of files that h5py does not write into small ones. */
final class StructuresTest {
  private static final CellFormat SHORTS = new CellFormat(CellType.INT16, false);

  private static ByteBuffer bytes(int count) {
    return ByteBuffer.allocate(count).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static Storage storage(ByteBuffer file) {
    return new Storage(ChunkBytes.of(file), 0, 8, 8);
  }

  private static ObjectHeader header(int kind, boolean shared, ByteBuffer body) {
    return new ObjectHeader(0, List.of(new ObjectHeader.Message(kind, shared, body.flip())));
  }

  private static ByteBuffer letters(ByteBuffer to, String letters) {
    return to.put(letters.getBytes(StandardCharsets.US_ASCII));
  }

  @Test
  void aChunkMayHave255CellsInOneByte() throws IOException {
    ByteBuffer layout = bytes(64).put((byte) 4).put((byte) 2).put((byte) 0).put((byte) 2);
    layout.put((byte) 1).put((byte) 255).put((byte) 2).put((byte) 1).putLong(-1);
    Dataspace space = new Dataspace(List.of(300L), List.of(300L), false);
    assertThat(
            Layout.read(
                    storage(bytes(8)),
                    header(ObjectHeader.LAYOUT, false, layout),
                    space,
                    SHORTS,
                    1 << 20)
                .unit(1))
        .containsExactly(255);
  }

  @Test
  void onlyAddressesAndLimitsOfAllBitsAreNowhere() throws IOException {
    ByteBuffer set = bytes(16).putLong(-1).putLong(-1).flip();
    assertThat(new Storage(ChunkBytes.of(set), 0, 2, 2).offset(set)).isEqualTo(Storage.NOWHERE);
    assertThat(new Storage(ChunkBytes.of(set), 0, 2, 2).length(set)).isEqualTo(65_535);
  }

  @Test
  void aSharedFillValueIsNotRead() {
    ByteBuffer place = bytes(16).put((byte) 3).put((byte) 1).putLong(0);
    assertThatThrownBy(() -> FillNumber.of(header(ObjectHeader.FILL_VALUE, true, place), SHORTS))
        .isInstanceOf(UnsupportedHdf5.class)
        .hasMessage("a fill value kept in a heap of shared messages");
  }

  @Test
  void moreChunksThanTheLimitAreUnsupported() {
    ByteBuffer tree = letters(bytes(64), "BTHD").put((byte) 0).put((byte) 10).putInt(512);
    tree.putShort((short) 24).putShort((short) 1).putShort((short) 0).putLong(0);
    tree.putShort((short) 9).putLong((1 << 20) + 1);
    tree.putInt(Lookup3.of(tree.slice(0, tree.position())));
    assertThatThrownBy(() -> ChunkRecords.read(storage(tree.clear()), 0, 2, false, 12))
        .isInstanceOf(UnsupportedHdf5.class)
        .hasMessageContaining("1048577 chunks, links or attributes in one tree");
  }

  /** Returns a heap of texts that says how long its only value is. */
  private static ByteBuffer heap(int valueBytes) {
    ByteBuffer heap = letters(bytes(80), "GCOL").put((byte) 1).position(8).putLong(64);
    heap.putShort((short) 1).position(24).putLong(valueBytes);
    return heap;
  }

  private static ByteBuffer place(int bytes) {
    return bytes(16).putInt(bytes).putLong(0).putInt(1).flip();
  }

  @Test
  void aTextLiesInsideItsHeap() throws IOException {
    assertThat(new GlobalHeap(storage(heap(8).clear())).object(place(8))).isPresent();
    assertThatThrownBy(() -> new GlobalHeap(storage(heap(40).clear())).object(place(40)))
        .isInstanceOf(IOException.class)
        .hasMessage("a value of 40 bytes lies outside its heap");
  }

  @Test
  void manyTextsOfFewBytesAreNoTexts() throws IOException {
    GlobalHeap heap = new GlobalHeap(storage(heap(30).clear()));
    assertThat(heap.text(place(30))).isEmpty();
    assertThat(heap.text(place(30))).isEmpty();
    assertThatThrownBy(() -> heap.text(place(30)))
        .isInstanceOf(IOException.class)
        .hasMessage("texts of the file share bytes");
  }
}
