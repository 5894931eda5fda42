"""Reports: answers and lists of faults as one model, written as HTML, PDF, XLSX or Markdown."""
