import DNSSD
import DNSSamples

/// The function that libFuzzer calls with each input. Any bytes must either be refused or decode to a message, or
/// to a part of one, that keeps every promise of the codec; and be read as an answer about a zone.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzDNSMessage(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    // libFuzzer owns the bytes and keeps them until this function returns. They are copied here, and nothing keeps the
    // pointer.
    let packet = Array(UnsafeBufferPointer(start: data, count: count))
    let complaint = DNSSamples.complaint(aboutReceived: packet) ?? ZoneAnswerCheck.complaint(about: packet)
    if let complaint { fatalError(complaint) }
    return 0
}
