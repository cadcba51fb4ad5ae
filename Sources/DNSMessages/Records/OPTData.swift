/// The data of an OPT record: the options of EDNS (RFC 6891 §6.1.2).
public struct OPTData: Hashable, Sendable {
    /// One option.
    public struct Option: Hashable, Sendable {
        /// Its code, as assigned by IANA.
        public var code: UInt16

        /// Its data, at most 65,531 bytes.
        public var data: [UInt8]

        /// Creates an option. The length of its data is not checked.
        public init(code: UInt16, data: [UInt8]) {
            self.code = code
            self.data = data
        }
    }

    /// The options, in order.
    public var options: [Option]

    /// Creates the data of an OPT record; by default without options.
    public init(options: [Option] = []) {
        self.options = options
    }
}
