internal import Constellation

extension GatewayID {
    /// The row as one text, as JSON has it.
    var text: String { description }
}
