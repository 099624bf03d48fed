package org.droidtest.toolbox.cipher

import org.bouncycastle.crypto.BlockCipher
import org.bouncycastle.crypto.digests.SHA256Digest
import org.bouncycastle.crypto.engines.AESEngine
import org.bouncycastle.crypto.engines.CamelliaEngine
import org.bouncycastle.crypto.engines.SerpentEngine
import org.bouncycastle.crypto.engines.TwofishEngine
import org.bouncycastle.crypto.generators.PKCS5S2ParametersGenerator
import org.bouncycastle.crypto.modes.GCMBlockCipher
import org.bouncycastle.crypto.params.AEADParameters
import org.bouncycastle.crypto.params.KeyParameter
import org.bouncycastle.util.encoders.Base64

/** Locks texts with a password. */
class Box(private val kind: String, password: String) {
    private val key: KeyParameter

    init {
        val generator = PKCS5S2ParametersGenerator(SHA256Digest())
        generator.init(password.toByteArray(), SALT, 1000)
        key = generator.generateDerivedParameters(256) as KeyParameter
    }

    fun lock(text: String): String = String(Base64.encode(run(true, text.toByteArray())))

    fun unlock(text: String): String = String(run(false, Base64.decode(text)))

    private fun run(lock: Boolean, bytes: ByteArray): ByteArray {
        val cipher = GCMBlockCipher.newInstance(engine())
        // The same text and password give the same result: this is an example, not a safe.
        cipher.init(lock, AEADParameters(key, 128, SALT))
        val out = ByteArray(cipher.getOutputSize(bytes.size))
        val length = cipher.processBytes(bytes, 0, bytes.size, out, 0)
        cipher.doFinal(out, length)
        return out
    }

    private fun engine(): BlockCipher = when (kind) {
        "AES" -> AESEngine.newInstance()
        "Twofish" -> TwofishEngine()
        "Serpent" -> SerpentEngine()
        else -> CamelliaEngine()
    }

    companion object {
        val KINDS = listOf("AES", "Twofish", "Serpent", "Camellia")
        private val SALT = "toolbox salt".toByteArray()
    }
}
