# Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0
"""The examples of docs/python.md: each runs, and prints what the page says."""

import doctest
import unittest
from pathlib import Path

from tests.session import spark

PAGE = Path(__file__).parents[2] / "docs" / "python.md"


class PageTest(unittest.TestCase):
    def test_examples_print_what_the_page_says(self):
        lines = PAGE.read_text(encoding="utf-8").split("\n")
        text = "\n".join("" if line.startswith("```") else line for line in lines)
        page = doctest.DocTestParser().get_doctest(text, {"spark": spark}, "python.md", None, 0)
        said = []
        runner = doctest.DocTestRunner(verbose=False)
        runner.run(page, out=said.append)

        self.assertGreater(len(page.examples), 10)
        self.assertEqual(runner.failures, 0, "".join(said))
