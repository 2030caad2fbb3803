/** The language server as a program: it communicates over standard input and output. */
import { createConnection, ProposedFeatures } from 'vscode-languageserver/node';
import { serve } from './serve.ts';

serve(createConnection(ProposedFeatures.all, process.stdin, process.stdout));
