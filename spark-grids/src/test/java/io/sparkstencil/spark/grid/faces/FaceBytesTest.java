/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.faces;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The memory of a face goes back once, when the last of those that use it is done. */
final class FaceBytesTest {
  private final AtomicInteger closed = new AtomicInteger();
  private final FaceBytes face =
      new FaceBytes(new HeapFace(ByteBuffer.wrap(new byte[] {1, 2, 3}), closed::incrementAndGet));

  @Test
  void theLastUserGivesTheMemoryBack() {
    assertThat(face.retain()).isTrue();
    face.release();
    assertThat(closed).hasValue(0);
    face.release();
    assertThat(closed).hasValue(1);
    assertThat(face.retain()).isFalse();
    assertThat(face.length()).isEqualTo(3);
    assertThatThrownBy(face::release).hasMessage("the memory of a face is given back twice");
    assertThat(closed).hasValue(1);
  }

  @Test
  void theTransportHasTheMemoryUntilItReleasesIt() throws IOException {
    PushBody body = new PushBody(face, 1, 2);
    assertThat(body.size()).isEqualTo(2);
    ByteBuf sent = (ByteBuf) body.convertToNetty();
    assertThat(sent.readableBytes()).isEqualTo(2);
    assertThat(sent.getByte(0)).isEqualTo((byte) 2);
    face.release();
    assertThat(closed).as("it is being sent").hasValue(0);
    body.release();
    assertThat(closed).hasValue(1);
    body.release();
    assertThat(closed).as("once").hasValue(1);
  }

  @Test
  void nothingIsSentFromMemoryThatWentBack() {
    PushBody body = new PushBody(face, 0, 3);
    face.release();
    assertThatThrownBy(body::convertToNetty)
        .isInstanceOf(IOException.class)
        .hasMessage("a face is sent too late: its memory has been given back");
    body.release();
    assertThat(closed).as("what was not begun is released as well").hasValue(1);
  }
}
