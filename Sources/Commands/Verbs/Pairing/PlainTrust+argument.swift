public import ArgumentParser
public import Trust

/// The ways to trust a gateway without TLS are the values of `--trust`.
extension PlainTrust: ExpressibleByArgument {}
