/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program;

/**
 * How blocks share the lines along which they stream. Each block has a tile across the lines and a
 * segment of them, and reads more lines than it has results.
 *
 * <p>Where a device runs few blocks at the same time, segments of one length leave places idle in
 * the last round of blocks, or else there are many rounds, in which more lines are read for
 * nothing. So there may be two lengths: blocks of the long segments begin first, and where they
 * leave places free, blocks of the short ones follow one another. They leave room to the kernels
 * that compute the cells beside the ends, which begin when no block waits.
 *
 * @param longOnes the long segments of a tile, which are the first ones
 * @param longLines the lines of each of them
 * @param shortLines the lines of each other segment; the last one may have fewer
 * @param count the segments of a tile
 */
public record StreamSegments(int longOnes, int longLines, int shortLines, int count) {
  /**
   * What is shared.
   *
   * @param lines lines of results
   * @param lead lines that a block reads besides
   * @param tiles tiles across the lines
   * @param places blocks that the whole device runs at the same time
   * @param beside what other kernels compute meanwhile, in lines of one place
   */
  public record Work(int lines, int lead, int tiles, int places, int beside) {
    /** Checks that there are places. */
    public Work {
      places = Math.max(1, places);
    }

    /** Returns the lines of a place, one after the other, until all is computed. */
    double time(StreamSegments segments) {
      return segments.longOnes == segments.count ? timeOfOneLength(segments) : timeOfTwo(segments);
    }

    private double timeOfOneLength(StreamSegments segments) {
      long blocks = (long) tiles * segments.count;
      long rounds = Ceiling.of(blocks, places);
      double each = segments.longLines + lead;
      double room = (rounds * places - blocks) * each;
      return rounds * each + Math.max(0, beside - room) / places;
    }

    private double timeOfTwo(StreamSegments segments) {
      double free = (long) segments.rounds(this) * places - (long) tiles * segments.longOnes;
      long shortOnes = (long) tiles * (segments.count - segments.longOnes);
      double turns = Math.ceil(shortOnes / free);
      double besides = turns * (segments.shortLines + lead) + beside / free;
      double longTime = segments.longLines + lead;
      return (segments.rounds(this) - 1) * longTime + Math.max(longTime, besides);
    }
  }

  /** The part of the time of one length below which two lengths are worth it. */
  private static final double WORTHWHILE = 0.99;

  /** Rounds of blocks after which a part of the last one is little. */
  private static final int MOST_ROUNDS = 8;

  private int rounds(Work work) {
    return Ceiling.of((long) longOnes * work.tiles, work.places);
  }

  /** Returns segments of one length with which the last block ends first. */
  public static StreamSegments ofOneLength(Work work) {
    int best = 1;
    double shortest = Double.MAX_VALUE;
    for (int segments = 1;
        segments <= Math.max(1, work.lines / Math.max(1, work.lead));
        segments++) {
      double rounds = Ceiling.of((long) work.tiles * segments, work.places);
      double time = rounds * (Ceiling.of(work.lines, segments) + work.lead);
      if (time < shortest) {
        shortest = time;
        best = segments;
      }
    }
    int each = Ceiling.of(work.lines, best);
    int count = Ceiling.of(work.lines, each);
    return new StreamSegments(count, each, each, count);
  }

  /** Returns segments of one or two lengths with which all is computed first. */
  public static StreamSegments ofTwoLengths(Work work) {
    StreamSegments best = ofOneLength(work);
    double shortest = work.time(best) * WORTHWHILE;
    for (int rounds = 1; rounds <= MOST_ROUNDS; rounds++) {
      long all = (long) rounds * work.places;
      int longOnes = (int) (all / work.tiles);
      long free = all % work.tiles;
      int most = free > 0 ? longOnes : 0;
      for (int shortOnes = 1; shortOnes <= most; shortOnes++) {
        int turns = Ceiling.of((long) shortOnes * work.tiles, (int) free);
        StreamSegments two = of(work, longOnes, shortOnes, turns, work.beside / (double) free);
        // rounding up the long segments must leave something to the last short one
        boolean fits = two.shortLines >= Math.max(work.lead, longOnes);
        if (fits && work.time(two) < shortest) {
          shortest = work.time(two);
          best = two;
        }
      }
    }
    return best;
  }

  /** Returns segments of which the short ones, and what is beside, end with the long ones. */
  private static StreamSegments of(
      Work work, int longOnes, int shortOnes, int turns, double besides) {
    double left = work.lines - longOnes * ((turns - 1) * (double) work.lead + besides);
    int shortLines = (int) (left / ((long) longOnes * turns + shortOnes));
    int longLines = Ceiling.of(work.lines - (long) shortOnes * shortLines, longOnes);
    return new StreamSegments(longOnes, longLines, shortLines, longOnes + shortOnes);
  }
}
