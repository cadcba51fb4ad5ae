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
        (2, 0x5E0A_1276_7E68_549D),
        (3, 0x92B3_53ED_8D7B_0B6D),
        (4, 0x4018_F3C8_9012_7471),
        (5, 0xCBC0_30BC_25BB_C75B),
        (6, 0xFCB6_F19F_CEA6_C5C6),
        (7, 0x7404_3138_7982_8937),
        (8, 0x5F07_5634_55F4_5483),
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
        (19, 0x4029_9822_6CE0_6500),
        (20, 0x46C9_2AFC_2687_E195),
        (21, 0x37C_B6E7_2663_8C89),
        (22, 0xDBD_6C77_AD7F_9F80),
        (23, 0x724D_C833_680C_C082),
    ]

    @Test func theScannerDoesWhatItDid() {
        let differences = CourseTranscript.differences(from: Self.digests, name: "scan") {
            ScanTranscript(seed: $0).transcript
        }
        #expect(differences.isEmpty)
    }
}
