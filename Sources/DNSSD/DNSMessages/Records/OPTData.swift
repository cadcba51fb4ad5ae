/// The data of an OPT record: the options of EDNS (RFC 6891 §6.1.2).
package struct OPTData: Hashable, Sendable {
    /// One option.
    package struct Option: Hashable, Sendable {
        /// Its code, as assigned by IANA.
        package var code: UInt16

        /// Its data, at most 65,531 bytes.
        package var data: [UInt8]

        /// Creates an option. The length of its data is not checked.
        package init(code: UInt16, data: [UInt8]) {
            self.code = code
            self.data = data
        }
    }

    /// The options, in order.
    package var options: [Option]

    /// Creates the data of an OPT record; by default without options.
    package init(options: [Option] = []) {
        self.options = options
    }
}
