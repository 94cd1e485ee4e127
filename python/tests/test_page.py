# Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0
"""The examples of the pages for Python: each runs, and prints what the page says."""

import doctest
import unittest
from pathlib import Path

from tests.session import spark

DOCS = Path(__file__).parents[2] / "docs"
# Each page with the least number of examples that it has.
PAGES = {"python.md": 8, "python-grids.md": 8}


class PageTest(unittest.TestCase):
    def test_examples_print_what_the_pages_say(self):
        for name, least in PAGES.items():
            with self.subTest(name):
                lines = (DOCS / name).read_text(encoding="utf-8").split("\n")
                text = "\n".join("" if line.startswith("```") else line for line in lines)
                page = doctest.DocTestParser().get_doctest(text, {"spark": spark}, name, None, 0)
                said = []
                runner = doctest.DocTestRunner(verbose=False)
                runner.run(page, out=said.append)

                self.assertGreaterEqual(len(page.examples), least)
                self.assertEqual(runner.failures, 0, "".join(said))
