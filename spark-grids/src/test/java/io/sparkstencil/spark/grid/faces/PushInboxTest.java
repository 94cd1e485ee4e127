/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.faces;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.grid.FaceBuffer;
import io.sparkstencil.spark.grid.faces.PushInbox.FaceLender;
import io.sparkstencil.spark.grid.faces.PushedFaces.Expected;
import io.sparkstencil.testkit.programs.LentFace;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What a block takes of faces that others push to it, and what it does not take. */
final class PushInboxTest {
  private static final int SOURCE = 3;
  private static final int BYTES = 6;
  private static final PushSecret SECRET = PushSecret.next();

  private final PushRoom room = new PushRoom(2 * BYTES);
  private final AtomicInteger noticed = new AtomicInteger();
  private final PushInbox inbox =
      new PushInbox(
          Map.of(SOURCE, new Expected(BYTES, 2), 5, new Expected(BYTES, 1)),
          room,
          FaceLender.NONE,
          noticed::incrementAndGet);

  private static PushHeader header(int source, int state, int bytes) {
    return new PushHeader(SECRET, source, 9, state, bytes);
  }

  private static ByteBuffer bytes(int first, int count) {
    ByteBuffer buffer = ByteBuffer.allocate(count);
    for (int i = 0; i < count; i++) {
      buffer.put((byte) (first + i));
    }
    return buffer.flip();
  }

  private PushAnswer push(int source, int state) {
    return push(inbox, source, state);
  }

  private static PushAnswer push(PushInbox inbox, int source, int state) {
    PushArrival arrival = inbox.begin(header(source, state, BYTES));
    arrival.data(bytes(10 * state, 4));
    arrival.data(bytes(10 * state + 4, 2));
    return arrival.end();
  }

  private Optional<ByteBuffer> read(int source, int state) {
    return inbox.take(source, state).map(FaceBuffer::bytes);
  }

  @Test
  void aFaceIsThereWhenAllOfItHasCome() {
    PushArrival arrival = inbox.begin(header(SOURCE, 4, BYTES));
    arrival.data(bytes(40, 5));
    assertThat(inbox.take(SOURCE, 4)).isEmpty();
    assertThat(noticed).hasValue(0);
    arrival.data(bytes(45, 1));

    assertThat(arrival.end()).isEqualTo(PushAnswer.TAKEN);

    assertThat(noticed).hasValue(1);
    assertThat(read(SOURCE, 4)).contains(bytes(40, BYTES));
    assertThat(inbox.take(SOURCE, 5)).isEmpty();
    assertThat(inbox.take(8, 4)).isEmpty();
  }

  @Test
  void aFaceStaysUntilItsStateIsPassed() {
    assertThat(push(SOURCE, 4)).isEqualTo(PushAnswer.TAKEN);
    assertThat(push(SOURCE, 5)).isEqualTo(PushAnswer.TAKEN);
    ByteBuffer read = read(SOURCE, 4).orElseThrow();
    assertThat(push(SOURCE, 6)).isEqualTo(PushAnswer.BUSY);
    assertThat(read).as("it is not overwritten").isEqualTo(bytes(40, BYTES));
    assertThat(push(SOURCE, 4)).as("it is there").isEqualTo(PushAnswer.TAKEN);

    inbox.pass(4);

    assertThat(push(SOURCE, 4)).as("it is needed no more").isEqualTo(PushAnswer.TAKEN);
    assertThat(inbox.take(SOURCE, 4)).isEmpty();
    assertThat(push(SOURCE, 6)).isEqualTo(PushAnswer.TAKEN);
    assertThat(read(SOURCE, 5)).contains(bytes(50, BYTES));
    assertThat(read(SOURCE, 6)).contains(bytes(60, BYTES));
  }

  @Test
  void whatIsNotExpectedIsRefused() {
    assertThat(push(8, 4)).isEqualTo(PushAnswer.NOT_HERE);
    assertThatThrownBy(() -> inbox.begin(header(SOURCE, 4, BYTES + 1)))
        .hasMessage("a face of 7 bytes was sent for a block that expects 6");
    PushArrival tooLong = inbox.begin(header(SOURCE, 4, BYTES));
    assertThatThrownBy(() -> tooLong.data(bytes(0, BYTES + 1)))
        .isInstanceOf(RuntimeException.class);
    tooLong.fail();
    PushArrival tooShort = inbox.begin(header(SOURCE, 4, BYTES));
    tooShort.data(bytes(0, BYTES - 1));
    assertThatThrownBy(tooShort::end).hasMessage("a face is 1 bytes shorter than its header says");
    assertThat(inbox.take(SOURCE, 4)).isEmpty();
    PushArrival dropped = inbox.begin(header(8, 4, BYTES));
    assertThatThrownBy(() -> dropped.data(bytes(0, BYTES + 1)))
        .hasMessage("a face is longer than its header says");
    assertThat(noticed).hasValue(0);
    assertThat(push(SOURCE, 4)).as("nothing is left").isEqualTo(PushAnswer.TAKEN);
  }

  @Test
  void aConnectionThatBreaksLeavesThePlaceToAnother() {
    PushArrival broken = inbox.begin(header(SOURCE, 4, BYTES));
    broken.data(bytes(70, 3));
    assertThat(push(SOURCE, 4)).as("while it comes").isEqualTo(PushAnswer.BUSY);
    broken.fail();

    assertThat(push(SOURCE, 4)).isEqualTo(PushAnswer.TAKEN);
    assertThat(read(SOURCE, 4)).contains(bytes(40, BYTES));
  }

  @Test
  void thereIsOnlySoMuchRoom() {
    assertThat(push(SOURCE, 4)).isEqualTo(PushAnswer.TAKEN);
    assertThat(push(SOURCE, 5)).isEqualTo(PushAnswer.TAKEN);
    assertThat(push(5, 4)).isEqualTo(PushAnswer.NO_ROOM);
    assertThat(room.used()).isEqualTo(2 * BYTES);
    PushArrival late = inbox.begin(header(SOURCE, 4, BYTES));

    inbox.close();
    inbox.close();

    assertThat(room.used()).isZero();
    late.data(bytes(0, BYTES));
    assertThat(late.end()).isEqualTo(PushAnswer.TAKEN);
    assertThat(push(SOURCE, 6)).isEqualTo(PushAnswer.NOT_HERE);
    assertThat(inbox.take(SOURCE, 5)).isEmpty();
  }

  @Test
  void aFaceForWhichTheHeapHasNoMemoryTakesNoRoom() {
    PushRoom large = new PushRoom(Long.MAX_VALUE);
    PushInbox crowded =
        new PushInbox(
            Map.of(SOURCE, new Expected(Integer.MAX_VALUE, 1)), large, FaceLender.NONE, () -> {});

    PushArrival arrival = crowded.begin(header(SOURCE, 4, Integer.MAX_VALUE));

    assertThat(large.used()).isZero();
    arrival.data(bytes(0, BYTES));
    assertThat(arrival.end()).isEqualTo(PushAnswer.NO_ROOM);
  }

  /** Parts come over several connections, in any order and at the same time. */
  @Test
  void aFaceInPartsIsThereWhenAllOfThemAre() {
    int part = PushHeader.PART_BYTES;
    int size = 2 * part + 5;
    PushInbox large =
        new PushInbox(
            Map.of(SOURCE, new Expected(size, 2)),
            new PushRoom(2L * size),
            FaceLender.NONE,
            noticed::incrementAndGet);
    List<PushHeader> headers = header(SOURCE, 4, size).parts();
    assertThat(headers).extracting(PushHeader::partBytes).containsExactly(part, part, 5);
    PushArrival last = large.begin(headers.get(2));
    PushArrival first = large.begin(headers.get(0));
    first.data(ByteBuffer.allocate(part));
    last.data(bytes(50, 5));
    assertThat(last.end()).isEqualTo(PushAnswer.TAKEN);
    assertThat(first.end()).isEqualTo(PushAnswer.TAKEN);
    assertThat(large.take(SOURCE, 4)).as("one part is missing").isEmpty();
    PushArrival again = large.begin(headers.get(0));
    again.data(ByteBuffer.allocate(part));
    assertThat(again.end()).as("a part that is there counts once").isEqualTo(PushAnswer.BUSY);
    assertThat(large.take(SOURCE, 4)).isEmpty();
    PushArrival middle = large.begin(headers.get(1));
    middle.data(bytes(7, 9));
    middle.data(ByteBuffer.allocate(part - 9));
    assertThat(noticed).hasValue(0);
    assertThat(middle.end()).isEqualTo(PushAnswer.TAKEN);

    assertThat(noticed).hasValue(1);
    ByteBuffer face = large.take(SOURCE, 4).orElseThrow().bytes();
    assertThat(face.slice(part, 9)).isEqualTo(bytes(7, 9));
    assertThat(face.slice(2 * part, 5)).isEqualTo(bytes(50, 5));

    PushArrival broken = large.begin(header(SOURCE, 5, size).parts().get(0));
    PushArrival other = large.begin(header(SOURCE, 5, size).parts().get(1));
    broken.fail();
    other.data(ByteBuffer.allocate(part));
    assertThat(other.end()).as("the face is given up").isEqualTo(PushAnswer.NOT_HERE);
    large.begin(header(SOURCE, 5, size).parts().get(0)).data(ByteBuffer.allocate(8));
    large.pass(5);
    assertThat(large.begin(header(SOURCE, 7, size).parts().get(0)))
        .as("what is half there and passed is in nobody's way")
        .isNotNull()
        .satisfies(arrival -> arrival.data(ByteBuffer.allocate(part)))
        .satisfies(arrival -> assertThat(arrival.end()).isEqualTo(PushAnswer.TAKEN));
  }

  @Test
  void memoryThatIsLentGoesBackOnceAndIsNotWrittenThen() {
    List<LentFace> lent = new ArrayList<>();
    FaceLender lender =
        bytes -> {
          if (lent.size() == 2) {
            return Optional.empty();
          }
          lent.add(LentFace.lend(bytes));
          return Optional.of(lent.get(lent.size() - 1));
        };
    int before = LentFace.countLent();
    PushInbox near =
        new PushInbox(
            Map.of(SOURCE, new Expected(BYTES, 2), 5, new Expected(BYTES, 1)),
            room,
            lender,
            noticed::incrementAndGet);
    assertThat(push(near, SOURCE, 4)).isEqualTo(PushAnswer.TAKEN);
    FaceBuffer taken = near.take(SOURCE, 4).orElseThrow();
    assertThat(taken).isSameAs(lent.get(0));
    assertThat(taken.bytes()).isEqualTo(bytes(40, BYTES));
    near.pass(4);
    assertThat(push(near, SOURCE, 6)).as("in the same place").isEqualTo(PushAnswer.TAKEN);
    assertThat(taken.bytes()).isEqualTo(bytes(60, BYTES));
    PushArrival broken = near.begin(header(SOURCE, 5, BYTES));
    broken.data(bytes(0, 3));
    broken.fail();
    PushArrival late = near.begin(header(SOURCE, 5, BYTES));
    late.data(bytes(50, 3));
    assertThat(lent).as("a place keeps its memory").hasSize(2);
    assertThat(push(near, 5, 6)).as("on the heap").isEqualTo(PushAnswer.TAKEN);
    assertThat(room.used()).isEqualTo(BYTES);
    broken.data(bytes(0, BYTES));
    assertThat(broken.end()).isEqualTo(PushAnswer.NOT_HERE);

    near.close();
    near.close();

    assertThat(LentFace.countLent()).isEqualTo(before);
    assertThat(room.used()).isZero();
    late.data(bytes(53, 3));
    assertThat(late.end()).isEqualTo(PushAnswer.NOT_HERE);
    List<LentFace> again = List.of(LentFace.lend(BYTES), LentFace.lend(BYTES));
    again.forEach(LentFace::close); // none of them was written
  }

  @Test
  void aFaceThatComesWhileItsBlockGoesIsDropped() {
    PushArrival arrival = inbox.begin(header(SOURCE, 4, BYTES));
    arrival.data(bytes(0, 2));
    inbox.close();
    arrival.data(bytes(2, 4));

    assertThat(arrival.end()).isEqualTo(PushAnswer.NOT_HERE);
    assertThat(noticed).hasValue(0);
  }

  @Test
  void headersAndTicketsAndAnswersAreReadAsTheyWereWritten() {
    PushHeader header = header(SOURCE, 7, BYTES);
    assertThat(PushHeader.of(header.toBuffer())).isEqualTo(header);
    PushTicket ticket = new PushTicket("executor_a.b_1", "a.b", 4711, SECRET);
    assertThat(PushTicket.of(ticket.toBytes(), "executor_a.b_1")).contains(ticket);
    assertThat(PushTicket.of(ticket.toBytes(), "executor_a.b_2")).isEmpty();
    assertThat(ticket.toString()).doesNotContain(Long.toString(SECRET.low()));
    for (PushAnswer answer : PushAnswer.values()) {
      assertThat(PushAnswer.of(answer.toBuffer())).isEqualTo(answer);
    }
  }

  @Test
  void whatIsNoHeaderOrAnswerIsRefused() {
    ByteBuffer shorter = header(SOURCE, 7, BYTES).toBuffer();
    shorter.limit(shorter.limit() - 1);
    assertThatThrownBy(() -> PushHeader.of(shorter)).isInstanceOf(IllegalArgumentException.class);
    ByteBuffer other = header(SOURCE, 7, BYTES).toBuffer().putInt(0, 1);
    assertThatThrownBy(() -> PushHeader.of(other)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> PushHeader.of(header(SOURCE, -1, BYTES).toBuffer()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> PushHeader.of(header(SOURCE, 1, 0).toBuffer()))
        .isInstanceOf(IllegalArgumentException.class);
    for (int offset : new int[] {-PushHeader.PART_BYTES, 1, PushHeader.PART_BYTES}) {
      assertThatThrownBy(
              () -> PushHeader.of(new PushHeader(SECRET, 1, 2, 3, 100, offset).toBuffer()))
          .hasMessage("a face of 100 bytes that was sent here has no part at " + offset);
    }
    assertThatThrownBy(() -> PushAnswer.of(ByteBuffer.allocate(1)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> PushAnswer.of(ByteBuffer.allocate(0)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
