// Speech of the Speech Rule Engine: one line of MathML in, one line of speech out.
// The engine is not part of texlift: npm install speech-rule-engine, and NODE_PATH=.../node_modules.
const sre = require('speech-rule-engine');
const lines = require('fs').readFileSync(0, 'utf8').split('\n').filter((line) => line);
sre.setupEngine({ locale: 'en', domain: process.argv[2] || 'clearspeak', modality: 'speech' }).then(() => {
  for (const line of lines) {
    let said = '';
    try { said = sre.toSpeech(line); } catch (error) { said = ''; }
    console.log(said.replace(/\s+/g, ' '));
  }
});
