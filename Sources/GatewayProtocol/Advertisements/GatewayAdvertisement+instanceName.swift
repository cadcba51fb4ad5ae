extension GatewayAdvertisement {
    /// Returns the gateway's name in an instance name: the instance name without the product in parentheses at its end.
    ///
    /// The number that a responder appends after a conflict stays, since only the number distinguishes two gateways of
    /// one name: `Home (OpenClaw) (2)` is `Home (2)`, and Avahi's `Home (OpenClaw) #2` is `Home #2`.
    static func name(fromInstanceName instanceName: String) -> String {
        let number = conflictNumber(of: instanceName)
        let rest = instanceName.dropLast(number.count)
        for product in [" (OpenClaw)", " (Clawdbot)"] where rest.hasSuffix(product) {
            let name = rest.dropLast(product.count)
            // An instance name that is only the product is better than an empty name.
            return name.allSatisfy(\.isWhitespace) ? instanceName : String(name + number)
        }
        return instanceName
    }

    /// Returns ` (2)`, as Apple, zeroconf libraries and RFC 6762 §9 append it, or ` #2`, as Avahi does; otherwise an
    /// empty text.
    private static func conflictNumber(of name: String) -> Substring {
        let isClosed = name.last == ")"
        let body = isClosed ? name.dropLast() : name[...]
        let digits = body.reversed().prefix { $0.isASCII && $0.isNumber }.count
        let opening = isClosed ? " (" : " #"
        guard digits > 0, body.dropLast(digits).hasSuffix(opening) else { return "" }
        return name.suffix(digits + opening.count + (isClosed ? 1 : 0))
    }
}
