/// Overwriting memory that has held a secret: freed memory keeps its content until something else needs it.
package enum Wiping {
    /// Overwrites bytes with zeros, whoever else refers to them: the caller must be their last reader.
    ///
    /// Most copies of a secret are in buffers that several values share. Changing one of the values would copy the
    /// buffer first and wipe the copy, so the bytes themselves are changed. Not inlined: where the optimiser sees that
    /// they are freed next, it removes the writes.
    @inline(never)
    package static func wipe(_ bytes: UnsafeRawBufferPointer) {
        UnsafeMutableRawBufferPointer(mutating: bytes).initializeMemory(as: UInt8.self, repeating: 0)
    }
}

extension [UInt8] {
    /// Overwrites the elements with zeros, in every array that shares their memory: see ``Wiping``. The array must not
    /// be a constant.
    package func wipe() { withUnsafeBytes(Wiping.wipe) }
}
