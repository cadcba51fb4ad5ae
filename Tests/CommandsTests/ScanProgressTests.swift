import Scanning
import Testing

@testable import Commands

@Suite struct ScanProgressTests {
    @Test func progressInWords() {
        var progress = ScanProgress()
        #expect(progress.text == "0 services, 0 gateways")
        (progress.services, progress.targets, progress.asked, progress.gateways) = (12, 12, 9, 7)
        #expect(progress.text == "12 services, 9 of 12 asked, 7 gateways")
        (progress.services, progress.gateways, progress.putOff) = (1, 1, 2)
        #expect(progress.text == "1 service, 9 of 12 asked, 2 put off, 1 gateway")
    }
}
