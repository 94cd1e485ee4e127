/** Generated kernels on a device: loading them, keeping them loaded, launching them. */
package io.sparkstencil.kernels.launch;
