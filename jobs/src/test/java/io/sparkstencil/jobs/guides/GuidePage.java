/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.guides;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A guide and its blocks. A block of {@code text} is what the block before it prints.
 *
 * @param name of the file
 * @param text of the page
 * @param blocks in their order
 */
record GuidePage(String name, String text, List<Block> blocks) {
  private static final Pattern FENCE = Pattern.compile("(?ms)^```([^\n]*)\n(.*?)^```$");

  /**
   * A fenced block.
   *
   * @param language what stands behind the fence
   * @param text its lines
   * @param from where they begin in the page
   */
  record Block(String language, String text, int from) {
    boolean isOutput() {
      return language.equals("text") || language.startsWith("text ");
    }

    /** Returns whether only a machine without a GPU prints this. */
    boolean isWithoutGpu() {
      return language.equals("text without a GPU");
    }
  }

  static GuidePage read(Path folder, String name) throws IOException {
    String text = Files.readString(folder.resolve(name));
    List<Block> blocks = new ArrayList<>();
    Matcher fence = FENCE.matcher(text);
    while (fence.find()) {
      blocks.add(new Block(fence.group(1), fence.group(2), fence.start(2)));
    }
    return new GuidePage(name, text, List.copyOf(blocks));
  }

  /** Returns the page with another text in place of each output, in the order of outputs. */
  String withOutputs(List<String> outputs) {
    StringBuilder page = new StringBuilder();
    int done = 0;
    int next = 0;
    for (Block block : blocks) {
      if (block.isOutput()) {
        page.append(text, done, block.from()).append(outputs.get(next++));
        done = block.from() + block.text().length();
      }
    }
    return page.append(text.substring(done)).toString();
  }
}
