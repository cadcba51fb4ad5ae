import DNSMessages
import DNSSamples

/// What libFuzzer calls with each input: any bytes must be refused or keep every promise of the codec.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzDNSMessage(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    // libFuzzer owns the bytes and keeps them until this returns; they are copied here, and nothing keeps the pointer.
    let packet = Array(UnsafeBufferPointer(start: data, count: count))
    guard let message = try? DNSMessage(decoding: packet) else { return 0 }
    if let complaint = DNSSamples.complaint(about: message) { fatalError(complaint) }
    return 0
}
