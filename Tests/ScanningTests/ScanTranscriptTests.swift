import TestSupport
import Testing

/// A protection of the whole behaviour of ``ScanState`` against changes that are only meant to move code, to rename
/// something, or to make it faster: the questions to endpoints, their times, and the events for the map.
@Suite struct ScanTranscriptTests {
    /// The digests of the transcripts of random sequences of events, by their seeds, as they were when the behaviour
    /// was last changed on purpose.
    private static let digests: [(seed: UInt64, digest: UInt64)] = [
        (0, 0x7A51_105A_C446_549D),
        (1, 0x2812_656E_3006_59A1),
        (2, 0x885C_8840_0E11_C3CD),
        (3, 0x92B3_53ED_8D7B_0B6D),
        (4, 0x7A2E_AAEC_A627_33A3),
        (5, 0xF6D8_1FAD_3B63_F0BD),
        (6, 0xE277_AC1E_8BC3_A2F2),
        (7, 0xD2A5_DB07_3C88_96B6),
        (8, 0x0ACF_7903_735D_7438),
        (9, 0x3704_AE92_A95B_DD70),
        (10, 0xD2BC_E5A5_6A11_66A3),
        (11, 0x6F34_AAE5_04CC_7DD7),
        (12, 0x8B10_8056_8784_3588),
        (13, 0x1DE3_6DF9_4890_217E),
        (14, 0xBFB8_D51F_25BB_F894),
        (15, 0x41FA_9798_2BEF_81A8),
        (16, 0x76C7_209A_CD22_D32D),
        (17, 0xE1FB_AD7C_0BC8_AFAC),
        (18, 0x74BD_53E9_ADE2_A1EB),
        (19, 0x4403_16C5_D8D8_D51D),
        (20, 0x46C9_2AFC_2687_E195),
        (21, 0x37C_B6E7_2663_8C89),
        (22, 0x54BF_9185_C931_CA11),
        (23, 0xF465_54CB_8810_F1C6),
    ]

    @Test func theScannerDoesWhatItDid() {
        let differences = CourseTranscript.differences(from: Self.digests, name: "scan") {
            ScanTranscript(seed: $0).transcript
        }
        #expect(differences.isEmpty)
    }
}
