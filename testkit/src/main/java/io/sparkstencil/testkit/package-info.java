/** What the tests of all modules share: engines with injected faults, checks for leaks. */
package io.sparkstencil.testkit;
