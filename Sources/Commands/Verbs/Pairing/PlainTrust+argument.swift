public import ArgumentParser
public import GatewayProtocol

/// The ways to trust a gateway without TLS are the values of `--trust`.
extension PlainTrust: ExpressibleByArgument {}
