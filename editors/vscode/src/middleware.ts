/** What is changed on the way between server and editor. */

import * as vscode from 'vscode';
import type { Middleware } from 'vscode-languageclient/node';

import * as configuration from './configuration';

export function middleware(context: vscode.ExtensionContext): Middleware {
  return {
    handleDiagnostics: (uri, diagnostics, next) => next(uri, diagnostics.map(withPage)),
    provideDiagnostics: async (document, previous, token, next) => {
      const report = await next(document, previous, token);
      inReport(report);
      return report;
    },
    provideWorkspaceDiagnostics: (previous, token, tell, next) =>
      next(previous, token, (part) => {
        part?.items.forEach(inReport);
        tell(part);
      }),
    workspace: {
      configuration: (params) =>
        params.items.map((item) =>
          item.section === configuration.SECTION
            ? configuration.forServer(context, item.scopeUri ? vscode.Uri.parse(item.scopeUri) : undefined)
            : null,
        ),
    },
  };
}

/** Findings that were fetched: a report that says "as before" has none. */
function inReport(report: object | null | undefined): void {
  if (report && 'items' in report) {
    (report.items as vscode.Diagnostic[]).forEach(withPage);
  }
}

/** A finding whose code leads to its page, which is here, and not to the manual, which is far. */
function withPage(diagnostic: vscode.Diagnostic): vscode.Diagnostic {
  const { code } = diagnostic;
  const value = typeof code === 'object' ? code.value : code;
  if (value !== undefined) {
    diagnostic.code = { value, target: vscode.Uri.parse(`ptx-lsp:/codes/${value}.md`) };
  }
  return diagnostic;
}
