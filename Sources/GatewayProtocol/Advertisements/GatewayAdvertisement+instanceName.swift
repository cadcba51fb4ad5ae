extension GatewayAdvertisement {
    /// The name that is in an instance name: without the product in parentheses at its end.
    ///
    /// The number that a responder appends after a conflict stays, since it is what tells two gateways of one name
    /// apart: `Home (OpenClaw) (2)` is `Home (2)`, and Avahi's `Home (OpenClaw) #2` is `Home #2`.
    static func name(fromInstanceName instanceName: String) -> String {
        let number = conflictNumber(of: instanceName)
        let rest = instanceName.dropLast(number.count)
        for product in [" (OpenClaw)", " (Clawdbot)"] where rest.hasSuffix(product) {
            let name = rest.dropLast(product.count)
            // Nothing but the product is at least something.
            return name.allSatisfy(\.isWhitespace) ? instanceName : String(name + number)
        }
        return instanceName
    }

    /// ` (2)` as Apple, zeroconf libraries and RFC 6762 §9 append it, or ` #2` as Avahi does; else nothing.
    private static func conflictNumber(of name: String) -> Substring {
        let isClosed = name.last == ")"
        let body = isClosed ? name.dropLast() : name[...]
        let digits = body.reversed().prefix { $0.isASCII && $0.isNumber }.count
        let opening = isClosed ? " (" : " #"
        guard digits > 0, body.dropLast(digits).hasSuffix(opening) else { return "" }
        return name.suffix(digits + opening.count + (isClosed ? 1 : 0))
    }
}
