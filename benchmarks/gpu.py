"""The GPU of this machine, by the CUDA driver alone."""

from __future__ import annotations

import ctypes


class Gpu:
    """The CUDA driver, as far as it is needed."""

    def __init__(self) -> None:
        self.cuda = ctypes.CDLL("libcuda.so.1")
        self.do("cuInit", 0)
        self.device, context = ctypes.c_int(), ctypes.c_void_p()
        self.do("cuDeviceGet", ctypes.byref(self.device), 0)
        self.do("cuDevicePrimaryCtxRetain", ctypes.byref(context), self.device)
        self.do("cuCtxSetCurrent", context)
        self.memory = ctypes.c_uint64()
        self.do("cuMemAlloc_v2", ctypes.byref(self.memory), 1 << 22)
        self.source, self.result = self.memory.value, self.memory.value + (1 << 21)

    def do(self, name: str, *arguments: object) -> None:
        """Call a function of the driver.

        Raises:
            OSError: if it fails.
        """
        code = getattr(self.cuda, name)(*arguments)
        if code:
            raise OSError(f"{name}: error {code}")

    def name(self) -> str:
        """What it is."""
        text, major, minor, driver = ctypes.create_string_buffer(100), ctypes.c_int(), ctypes.c_int(), ctypes.c_int()
        self.do("cuDeviceGetName", text, 100, self.device)
        self.do("cuDeviceGetAttribute", ctypes.byref(major), 75, self.device)
        self.do("cuDeviceGetAttribute", ctypes.byref(minor), 76, self.device)
        self.do("cuDriverGetVersion", ctypes.byref(driver))
        return f"{text.value.decode()}, sm_{major.value}{minor.value}, CUDA driver {driver.value}"

    def load(self, text: str) -> ctypes.c_void_p:
        """Compile PTX."""
        module = ctypes.c_void_p()
        self.do("cuModuleLoadData", ctypes.byref(module), text.encode())
        return module

    def run(
        self, module: ctypes.c_void_p, name: str, source: bytes, size: int, threads: int, parameters: list[int]
    ) -> bytes:
        """Run a kernel in one block; what it wrote."""
        kernel, result = ctypes.c_void_p(), ctypes.create_string_buffer(size)
        self.do("cuModuleGetFunction", ctypes.byref(kernel), module, name.encode())
        if source:
            self.do("cuMemcpyHtoD_v2", ctypes.c_uint64(self.source), source, len(source))
        self.do("cuMemsetD8_v2", ctypes.c_uint64(self.result), 0xEE, size)
        values = [ctypes.c_uint64(one) for one in (self.source, self.result, *parameters)]
        pointers = (ctypes.c_void_p * 4)(*(ctypes.cast(ctypes.pointer(one), ctypes.c_void_p) for one in values))
        self.do("cuLaunchKernel", kernel, 1, 1, 1, threads, 1, 1, 0, None, pointers, None)
        self.do("cuCtxSynchronize")
        self.do("cuMemcpyDtoH_v2", result, ctypes.c_uint64(self.result), size)
        return result.raw
