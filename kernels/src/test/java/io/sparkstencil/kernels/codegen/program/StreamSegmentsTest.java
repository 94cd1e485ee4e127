/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sparkstencil.kernels.codegen.program.StreamSegments.Work;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** How blocks that stream share rows. */
class StreamSegmentsTest {
  /** Five points of 24 steps in 16384 x 16384 cells on 132 multiprocessors. */
  private static final Work FIVE = new Work(16_336, 66, 41, 132, 14_760);

  private static int lines(StreamSegments segments, int segment, int all) {
    int longOnes = Math.min(segment, segments.longOnes());
    int before = longOnes * segments.longLines() + (segment - longOnes) * segments.shortLines();
    int own = segment < segments.longOnes() ? segments.longLines() : segments.shortLines();
    return Math.min(own, all - before);
  }

  /** Returns when each place is free, if blocks begin in turn where one is free first. */
  private static long[] free(StreamSegments segments, Work work) {
    long[] free = new long[work.places()];
    for (int segment = 0; segment < segments.count(); segment++) {
      for (int tile = 0; tile < work.tiles(); tile++) {
        int first = 0;
        for (int place = 1; place < free.length; place++) {
          first = free[place] < free[first] ? place : first;
        }
        free[first] += lines(segments, segment, work.lines()) + work.lead();
      }
    }
    return free;
  }

  private static double room(StreamSegments segments, Work work) {
    double time = work.time(segments);
    double room = 0;
    for (long busy : free(segments, work)) {
      assertThat((double) busy).isLessThanOrEqualTo(time);
      room += time - busy;
    }
    return room;
  }

  @Test
  void shortSegmentsFollowWhereLongOnesLeavePlacesFree() {
    StreamSegments two = StreamSegments.ofTwoLengths(FIVE);
    assertThat(two.longOnes()).isEqualTo(3);
    assertThat(two.count()).isEqualTo(4);
    StreamSegments one = StreamSegments.ofOneLength(FIVE);
    assertThat(one.count()).isEqualTo(16);
    assertThat(FIVE.time(two)).isLessThan(0.96 * FIVE.time(one));
  }

  @Test
  void whatIsBesideHasRoomBeforeTheLastBlockEnds() {
    StreamSegments two = StreamSegments.ofTwoLengths(FIVE);
    assertThat(room(two, FIVE)).isGreaterThan(FIVE.beside());
    Work alone = new Work(16_336, 66, 41, 132, 0);
    StreamSegments full = StreamSegments.ofTwoLengths(alone);
    assertThat(full.shortLines()).isGreaterThan(two.shortLines());
    assertThat(room(full, FIVE)).isGreaterThan(FIVE.beside());
    assertThat(FIVE.time(full)).isGreaterThan(FIVE.time(two));
  }

  @Test
  void segmentsHaveOneLengthWhereTheyFillTheDevice() {
    Work work = new Work(16_384, 30, 44, 132, 0);
    StreamSegments segments = StreamSegments.ofTwoLengths(work);
    assertThat(segments).isEqualTo(StreamSegments.ofOneLength(work));
    assertThat(segments.count()).isEqualTo(3);
    assertThat(work.time(segments)).isCloseTo(5492, within(0.1));
  }

  @Test
  void allLinesAreSharedAndBlocksEndAsCounted() {
    Random random = new Random(3);
    int two = 0;
    for (int turn = 0; turn < 3000; turn++) {
      int lead = 1 + random.nextInt(60);
      int lines = lead + random.nextInt(5000);
      int tiles = 1 + random.nextInt(200);
      Work work = new Work(lines, lead, tiles, 1 + random.nextInt(150), random.nextInt(4000));
      StreamSegments segments = StreamSegments.ofTwoLengths(work);
      String what = work + " " + segments;
      int last = segments.count() - 1;
      assertThat(lines(segments, last, lines)).as(what).isPositive();
      int all = 0;
      for (int segment = 0; segment <= last; segment++) {
        all += lines(segments, segment, lines);
      }
      assertThat(all).as(what).isEqualTo(lines);
      assertThat(room(segments, work)).as(what).isGreaterThanOrEqualTo(0);
      two += segments.count() > segments.longOnes() ? 1 : 0;
    }
    assertThat(two).isGreaterThan(500);
  }
}
